// Opening of a bundle: the manifest first, then what it lists.
#include "runtime/plan/Bundle.h"

namespace llmc::rt {

/// The plan repeats three keys of the manifest; two that differ would mean that
/// one of the files comes from another bundle.
static Status checkAgreement(const Bundle &result) {
  const plan::Plan &plan = *result.plan;
  if (textOf(plan.target()) == result.manifest.target &&
      textOf(plan.llmc_version()) == result.manifest.llmcVersion &&
      int64_t(plan.threads()) == result.manifest.threads)
    return Status::success();
  return Status::error("'" + result.path(bundle::plan) + "': for target " +
                       std::string(textOf(plan.target())) + ", llmc " +
                       std::string(textOf(plan.llmc_version())) + " and " +
                       std::to_string(plan.threads()) +
                       " threads, the manifest says " + result.manifest.target +
                       ", " + result.manifest.llmcVersion + " and " +
                       std::to_string(result.manifest.threads));
}

Expected<Bundle> openBundle(const std::string &directory) {
  Expected<Manifest> manifest = checkManifest(directory);
  if (!manifest)
    return manifest.takeStatus();
  Bundle result;
  result.directory = directory;
  result.manifest = std::move(*manifest);
  for (const char *name : {bundle::plan, bundle::kernels, bundle::settings,
                           bundle::summary, bundle::spec})
    if (!result.manifest.files.contains(name))
      return Status::error("'" + directory + "': the bundle has no " + name);

  Expected<MappedFile> file = MappedFile::open(result.path(bundle::plan));
  if (!file)
    return file.takeStatus();
  result.planFile = std::move(*file);
  Expected<const plan::Plan *> plan =
      checkPlan(result.planFile.text(), result.path(bundle::plan));
  if (!plan)
    return plan.takeStatus();
  result.plan = *plan;
  if (Status status = checkAgreement(result); !status)
    return status;

  Expected<MappedFile> settings =
      MappedFile::open(result.path(bundle::settings));
  if (!settings)
    return settings.takeStatus();
  result.settings = std::string(settings->text());
  return result;
}

} // namespace llmc::rt
