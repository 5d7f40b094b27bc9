"""Program of the Python runner: `python3 FOLDER HARNESS [KEEP...]`.

HARNESS is the path of libassay_harness.so; each KEEP is a path below /tmp that
children still need when /tmp is made private. See assay_runner/zygote.py.
"""

import sys

from assay_runner import zygote

# The folder of this file: solutions must not find its modules.
del sys.path[0]
sys.exit(zygote.main(sys.argv[1], sys.argv[2:]))
