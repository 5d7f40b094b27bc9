// The text of a token, as a client sends it: `ID.SECRET`, for example
// `tok-1f….9c…`. The id names it in listings and logs; the secret is 256 random
// bits in hex, of which only a digest is kept.

#ifndef ASSAY_SERVER_AUTH_TOKEN_TEXT_H_
#define ASSAY_SERVER_AUTH_TOKEN_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace assay {

struct TokenText {
  std::string id;
  std::string secret;

  std::string ToString() const { return id + "." + secret; }
};

// A new one, from the kernel's random numbers.
TokenText DrawTokenText();

// The parts of `Bearer ID.SECRET`, the value of the header `authorization`.
// Nothing when it has another form.
absl::optional<TokenText> ParseBearer(absl::string_view header);

// What is kept of a secret. It is as random as it is long: a plain hash can
// neither be inverted nor looked up.
std::string SecretDigest(absl::string_view secret);

// Takes as long wherever two texts of one length differ.
bool EqualInConstantTime(absl::string_view a, absl::string_view b);

}  // namespace assay

#endif  // ASSAY_SERVER_AUTH_TOKEN_TEXT_H_
