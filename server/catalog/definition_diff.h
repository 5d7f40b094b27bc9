// What tells two definitions of one name apart.

#ifndef ASSAY_SERVER_CATALOG_DEFINITION_DIFF_H_
#define ASSAY_SERVER_CATALOG_DEFINITION_DIFF_H_

#include <string>

#include "assay/v1/definition.pb.h"

namespace assay {

// Path of the first field that bears on a result and differs, e.g.
// `axes[1].value`; empty when there is none.
std::string FirstDifference(const v1::Definition& stored,
                            const v1::Definition& given);

}  // namespace assay

#endif  // ASSAY_SERVER_CATALOG_DEFINITION_DIFF_H_
