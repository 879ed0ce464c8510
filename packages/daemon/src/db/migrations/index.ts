import { spine } from './001-spine.ts';
import { accounts } from './002-accounts.ts';
import { live } from './003-live.ts';
import { operations } from './004-operations.ts';
import { runs } from './005-runs.ts';
import { resources } from './006-resources.ts';
import { telemetry } from './007-telemetry.ts';
import { pushes } from './008-pushes.ts';
import { releases } from './009-releases.ts';
import { certificates } from './010-certificates.ts';
import { edge } from './011-edge.ts';
import { traffic } from './012-traffic.ts';
import { recent } from './013-recent.ts';
import { oauth } from './014-oauth.ts';
import { seen } from './015-seen.ts';
import { tasks } from './016-tasks.ts';
import { databases } from './017-databases.ts';
import { attachments } from './018-attachments.ts';
import { backups } from './019-backups.ts';
import { stores } from './020-stores.ts';
import { installs } from './021-installs.ts';
import { appFiles } from './022-app-files.ts';
import { installThings } from './023-install-things.ts';
import { trash } from './024-trash.ts';
import { platformImages } from './025-platform-images.ts';
import { publicStores } from './026-public-stores.ts';
import { quotas } from './027-quotas.ts';
import { databaseRules } from './028-database-rules.ts';
import { registryProjects } from './029-registries.ts';
import { heldImages } from './030-held-images.ts';
import { unrecordedImages } from './031-unrecorded-images.ts';
import { imageUse } from './032-image-use.ts';
import { runProblems } from './033-run-problems.ts';
import { plainSessions } from './034-plain-sessions.ts';
import { imageBlobs } from './035-image-blobs.ts';
import { replicaLimits } from './036-replica-limits.ts';
import { pushCredentials } from './037-push-credentials.ts';
import { userProjects } from './038-user-projects.ts';
import { orderProjects } from './039-order-projects.ts';
import { exposedSessions } from './040-exposed-sessions.ts';
import { ownDomains } from './041-own-domains.ts';
import { certificateProblems } from './042-certificate-problems.ts';
import { formerHosts } from './043-former-hosts.ts';
import { ownedRegistries } from './044-owned-registries.ts';
import { countedApps } from './045-counted-apps.ts';
import { installedVolumes } from './046-installed-volumes.ts';
import { runVolumes } from './047-run-volumes.ts';
import { restrictedKeys } from './048-restricted-keys.ts';
import { archiveOptions } from './049-archive-options.ts';
import { objectStores } from './050-object-stores.ts';
import { issuedCertificates } from './051-issued-certificates.ts';
import { sealedManifests } from './052-sealed-manifests.ts';
import { rowMacs } from './053-row-macs.ts';

/** All migrations in the order in which they run. A released migration must never change. */
export const MIGRATIONS: readonly string[] = [
  spine,
  accounts,
  live,
  operations,
  runs,
  resources,
  telemetry,
  pushes,
  releases,
  certificates,
  edge,
  traffic,
  recent,
  oauth,
  seen,
  tasks,
  databases,
  attachments,
  backups,
  stores,
  installs,
  appFiles,
  installThings,
  trash,
  platformImages,
  publicStores,
  quotas,
  databaseRules,
  registryProjects,
  heldImages,
  unrecordedImages,
  imageUse,
  runProblems,
  plainSessions,
  imageBlobs,
  replicaLimits,
  pushCredentials,
  userProjects,
  orderProjects,
  exposedSessions,
  ownDomains,
  certificateProblems,
  formerHosts,
  ownedRegistries,
  countedApps,
  installedVolumes,
  runVolumes,
  restrictedKeys,
  archiveOptions,
  objectStores,
  issuedCertificates,
  sealedManifests,
  rowMacs,
];
