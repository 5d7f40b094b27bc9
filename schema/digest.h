// Names for content: two objects have the same digest if and only if nothing
// that could change a result differs between them. Hex SHA-256 over fields that
// are preceded by their length. Thread-safe.

#ifndef ASSAY_SCHEMA_DIGEST_H_
#define ASSAY_SCHEMA_DIGEST_H_

#include <string>

#include "assay/v1/definition.pb.h"
#include "assay/v1/solution.pb.h"
#include "assay/v1/workload.pb.h"

namespace assay {

// Over name, op_type, axes ordered by name, inputs and outputs in call order,
// reference and constraints. Not over descriptions, tags, an axis' parent, and
// unknown members: they do not change what is computed.
std::string DefinitionDigest(const v1::Definition& definition);

// Over name, definition, author, the whole spec, and the sources ordered by
// path. Not over the description and unknown members. A binding that is left
// out counts as the default that it stands for.
std::string SolutionDigest(const v1::Solution& solution);

// Over axes and inputs, each ordered by name. A stored tensor counts by the
// SHA-256 of its file when that is known, else by its path, and by its key. Not
// over the uuid, so that the same case under two uuids is found to be one, nor
// over target_hardware, which says where the case runs and not what it is.
std::string WorkloadDigest(const v1::Workload& workload);

}  // namespace assay

#endif  // ASSAY_SCHEMA_DIGEST_H_
