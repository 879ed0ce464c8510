import type { RegistryKeys } from '../auth/registry-keys.ts';
import type { AttachmentsDeps } from '../resources/attachments/deps.ts';
import type { AuditDeps } from '../resources/audit/deps.ts';
import type { BackupsDeps } from '../resources/backups/deps.ts';
import type { DnsProvidersDeps } from '../resources/dns-providers/deps.ts';
import type { EventsDeps } from '../resources/events/deps.ts';
import type { InstanceDeps } from '../resources/instance/deps.ts';
import type { MetricsDeps } from '../resources/metrics/deps.ts';
import type { PushesDeps } from '../resources/pushes/deps.ts';
import type { Pushes } from '../resources/pushes/push-worker.ts';
import type { RegistryCredentialsDeps } from '../resources/registry-credentials/deps.ts';
import type { ReleasesDeps } from '../resources/releases/deps.ts';
import type { RevisionsDeps } from '../resources/revisions/deps.ts';
import type { SchedulesDeps } from '../resources/schedules/deps.ts';
import type { ShellsDeps } from '../resources/shells/deps.ts';
import type { TemplatesDeps } from '../resources/templates/deps.ts';
import type { UnrecordedDeps } from '../resources/unrecorded/deps.ts';
import type { UsersDeps } from '../resources/users/deps.ts';

/** Functions and objects that the HTTP endpoints use, for example the SQLite database and the Docker client. */
export interface HttpDeps
  extends AttachmentsDeps,
    AuditDeps,
    BackupsDeps,
    DnsProvidersDeps,
    EventsDeps,
    InstanceDeps,
    MetricsDeps,
    PushesDeps,
    RegistryCredentialsDeps,
    ReleasesDeps,
    RevisionsDeps,
    SchedulesDeps,
    ShellsDeps,
    TemplatesDeps,
    UnrecordedDeps,
    UsersDeps {
  registryKeys: RegistryKeys;
  /** Records and deploys images that users pushed to the instance's registry. */
  pushes: Pushes;
  /** Returns an error message if the firewall rules for containers are not set, or `null` if they are set. */
  firewallProblem: () => string | null;
}
