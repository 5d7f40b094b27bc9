#include "client/cli/tokens_command.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/cli/listing.h"
#include "client/cli/units.h"

namespace assay {
namespace {

struct CreateFlags {
  std::string role = "submit";
  std::string name;
  std::optional<double> submissions_per_second;
  std::optional<int> open_jobs;
  std::optional<double> upload_gib_per_hour;
};

std::string RoleWord(v1::TokenRole role) {
  return absl::AsciiStrToLower(v1::TokenRole_Name(role));
}

v1::TokenRole RoleFrom(const std::string& word) {
  v1::TokenRole role = v1::TOKEN_ROLE_UNSPECIFIED;
  v1::TokenRole_Parse(absl::AsciiStrToUpper(word), &role);
  return role;
}

std::string TimeOrDash(int64_t time_us) {
  return time_us == 0 ? "-" : FormatTime(time_us);
}

// Without a quota among the flags the coordinator chooses one by the role.
v1::CreateTokenRequest ToRequest(const CreateFlags& flags) {
  constexpr double kGib = 1 << 30;
  v1::CreateTokenRequest request;
  request.set_name(flags.name);
  request.set_role(RoleFrom(flags.role));
  if (flags.submissions_per_second.has_value()) {
    request.mutable_quota()->set_submissions_per_second(
        *flags.submissions_per_second);
  }
  if (flags.open_jobs.has_value()) {
    request.mutable_quota()->set_open_jobs(*flags.open_jobs);
  }
  if (flags.upload_gib_per_hour.has_value()) {
    request.mutable_quota()->set_upload_bytes_per_hour(
        static_cast<int64_t>(*flags.upload_gib_per_hour * kGib));
  }
  return request;
}

// The text alone goes to standard output, so that it can be sent to a file.
absl::StatusOr<ExitCode> Create(const CreateFlags& flags,
                                CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  ASSAY_ASSIGN_OR_RETURN(const v1::CreateTokenResponse created,
                         client->CreateToken(ToRequest(flags)));
  if (context.json) {
    context.PrintJson(Json(created));
    return ExitCode::kOk;
  }
  context.console.Note(absl::StrCat("created the token ", created.token().id(),
                                    " (role ", flags.role,
                                    "); it is shown this once:"));
  context.console.Print(created.text());
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> List(const LimitFlag& limit, CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  return PrintList<v1::Token>(
      context, client->ListTokens(), limit, "tokens",
      Table({{"id"},
             {"role"},
             {"name", Table::kLeft, true},
             {"created (UTC)"},
             {"last used (UTC)"},
             {"revoked (UTC)"}}),
      [](const v1::Token& token) -> std::vector<std::string> {
        return {token.id(),
                RoleWord(token.role()),
                token.name(),
                FormatTime(token.create_time_us()),
                TimeOrDash(token.last_use_time_us()),
                TimeOrDash(token.revoke_time_us())};
      });
}

absl::StatusOr<ExitCode> Revoke(const std::string& id,
                                CommandContext& context) {
  ASSAY_ASSIGN_OR_RETURN(const auto client, context.Connect());
  ASSAY_ASSIGN_OR_RETURN(const v1::Token token, client->RevokeToken(id));
  if (context.json) {
    context.PrintJson(Json(token));
    return ExitCode::kOk;
  }
  context.console.Print(
      absl::StrCat("revoked ", token.id(), " (", token.name(), ")"));
  return ExitCode::kOk;
}

}  // namespace

void AddTokensCommand(Command root, CommandContext& context) {
  Command group = root.AddGroup(
      "tokens", "Create, show and revoke tokens; needs the role admin");

  const auto flags = std::make_shared<CreateFlags>();
  Command create =
      group.AddCommand("create", "Create one, and print its text this once");
  create.Choice("--role", flags->role, {"submit", "worker", "admin"},
                {"What it may do: submit (default), worker or admin", "ROLE"});
  create.RequiredText("--name", flags->name,
                      {"Whose it is, or what for", "NAME"});
  constexpr char kGroup[] = "Quota (0: no limit; default: by the role)";
  create.Number("--submissions-per-second", flags->submissions_per_second, 0,
                1e9, {"On average over ten seconds", "N", kGroup});
  create.Number("--open-jobs", flags->open_jobs, 0,
                std::numeric_limits<int>::max(),
                {"Jobs queued or running at a time", "N", kGroup});
  create.Number("--upload-gib-per-hour", flags->upload_gib_per_hour, 0, 1e6,
                {"GiB of tensor files", "N", kGroup});
  FinishCommand(create, context, [flags](CommandContext& invoked) {
    return Create(*flags, invoked);
  });

  const auto limit = std::make_shared<LimitFlag>();
  Command list = group.AddCommand("list", "List them, oldest first");
  limit->AddTo(list);
  FinishCommand(list, context, [limit](CommandContext& invoked) {
    return List(*limit, invoked);
  });

  const auto id = std::make_shared<std::string>();
  Command revoke = group.AddCommand(
      "revoke", "End one: its calls are refused, its streams end");
  revoke.Required("id", *id, "Its id, as listed");
  FinishCommand(revoke, context,
                [id](CommandContext& invoked) { return Revoke(*id, invoked); });
}

}  // namespace assay
