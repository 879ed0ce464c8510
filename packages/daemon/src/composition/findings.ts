/** Collects the problems that the parts of the instance have found, for the warnings of the API and for checks. */
import type { CheckName } from '@davit/api';
import { problemFor } from '../authorization/problem-text.ts';
import { refusedSettingsProblem } from '../config/instance-settings.ts';
import { DAMAGED } from '../db/damage.ts';
import { unrecordedImagesProblem } from '../reconcilers/unrecorded-volumes.ts';
import { backupWarnings } from '../resources/backups/coverage.ts';
import { standInNote } from '../resources/certificates/public-address.ts';
import { certificateWarnings } from '../resources/certificates/warnings.ts';
import { domainWarnings } from '../resources/domains/host-warnings.ts';
import { missingImageWarnings } from '../resources/images/missing.ts';
import { exposedSessionProblem } from '../resources/instance/exposed-sessions.ts';
import type { Finding } from '../resources/instance/finding.ts';
import type { KeptLogs } from '../resources/logs/kept-logs.ts';
import { warningsOfPlatform } from '../resources/platform-images/platform-image.ts';
import { pushWarnings } from '../resources/pushes/push-worker.ts';
import type { Working } from './assemble-working.ts';
import type { Core } from './core.ts';

/**
 * Warnings for users with access to only some projects. They replace messages of HAProxy and the file system, because
 * those may contain names of other projects.
 */
const NO_PROXY =
  'The proxy does not respond or rejects its configuration, so requests to apps may fail. An admin with access to all projects can see the reason in the warnings of the instance.';
const NO_REGISTRY =
  'The registry does not respond, so images cannot be pushed. An admin with access to all projects can see the reason in the warnings of the instance.';
const NO_LOGS =
  'The logs of some apps cannot be stored. An admin with access to all projects can see the reason in the warnings of the instance.';

/**
 * Returns the findings that the API sends to operators.
 * @param projects ids of the projects that the user can see, or `null` for all projects
 */
export function findingsOf(
  core: Core,
  { routes, ownRegistry, disk, unrecorded, firewall }: Working,
  logs: KeptLogs,
  projects: readonly number[] | null,
): Finding[] {
  // If the SQLite database is damaged, returns only this one finding. The others need the database.
  if (core.store.isDamaged) return problem('state_database', DAMAGED);
  const simulated = 'Docker is simulated on this instance, so no real containers run.';
  return [
    ...(core.engine.capabilities.simulated ? warnings('engine', [simulated]) : []),
    ...problem('engine', core.engineSight().problem),
    ...problem('firewall', firewall.problem()),
    ...problem('proxy', problemFor(projects, routes.problem(), NO_PROXY)),
    ...problem('registry', problemFor(projects, ownRegistry.problem(), NO_REGISTRY)),
    ...problem('apps', problemFor(projects, logs.problem(), NO_LOGS)),
    ...warnings('orphans', [problemFor(projects, unrecorded.problem(), null)]),
    ...warnings('apps', pushWarnings(core.store, projects)),
    ...warnings('apps', missingImageWarnings(core.store, projects)),
    ...(disk.guard() === null ? warnings : problems)('disk', disk.warnings()),
    ...warnings('backups', backupWarnings(core, projects)),
    ...(projects === null ? findingsOfAllProjects(core) : []),
    ...warnings('platform_images', warningsOfPlatform(core, projects)),
    ...warnings('settings', standInNote(core.facts)),
  ];
}

/**
 * Returns findings that may contain hosts or apps of any project. Only users with access to all projects may see these
 * findings.
 */
function findingsOfAllProjects(core: Core): Finding[] {
  return [
    ...warnings('certificates', certificateWarnings(core)),
    ...warnings('domains', domainWarnings(core)),
    ...warnings('orphans', [unrecordedImagesProblem(core.store)]),
    ...warnings('settings', [refusedSettingsProblem(core.store), exposedSessionProblem(core)]),
  ];
}

function warnings(check: CheckName, texts: readonly (string | null)[]): Finding[] {
  return texts.flatMap((text) => (text === null ? [] : [{ check, state: 'warning', text }]));
}

function problems(check: CheckName, texts: readonly (string | null)[]): Finding[] {
  return warnings(check, texts).map((finding) => ({ ...finding, state: 'problem' }));
}

function problem(check: CheckName, text: string | null): Finding[] {
  return problems(check, [text]);
}
