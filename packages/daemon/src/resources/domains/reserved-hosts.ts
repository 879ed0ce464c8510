/**
 * Checks whether a host is reserved for the instance or for another project. The check is used for new domains and
 * before the installation of a template.
 */
import { DavitError, type FieldCode, invalidField } from '@davit/api';
import { projectOfHost, type ReservedHost, reservedHost } from '../../adapters/proxy/routes.ts';
import type { OpContext } from '../../auth/context.ts';
import { isAdminOfAll, seenReference } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import { domainNear, domainsOfHost } from '../../db/tables/domain.ts';
import { projectBySlug } from '../../db/tables/project.ts';
import { formerDomainOf } from './former-domains.ts';

export interface HostClaim {
  /** Normalized host name that a user wants to add to an app. */
  host: string;
  /** Name of the app's project. The project may not exist yet. */
  project: string;
  domain: string;
}

/**
 * Checks that the project can use a host.
 * @throws DavitError invalid_input if no user can add the host, conflict if the host is reserved for another project
 */
export function refuseReserved(db: Reader, ctx: OpContext, claim: HostClaim): void {
  const problem = reservedProblem(db, ctx, claim);
  if (problem === null) return;
  if (problem.code === 'not_allowed') throw invalidField('host', problem.code, problem.message);
  throw new DavitError('conflict', problem.message);
}

/**
 * Returns the reason why a project cannot use a host name, or `null` if the project can use it. A host name and its
 * subdomains belong to one project, because browsers share cookies between them. An admin of all projects can allow
 * exceptions. A project can always use its existing host names.
 *
 * The function does not check whether another project uses exactly this host name.
 */
export function reservedProblem(
  db: Reader,
  { actor }: OpContext,
  { host, project, domain }: HostClaim,
): ReservedProblem | null {
  const reserved = reservedHost(host, domain);
  if (reserved !== null) return reservedName(RESERVED[reserved](host, domain));
  const projectId = projectBySlug(db, project)?.id ?? NO_PROJECT;
  if (domainsOfHost(db, host).some((row) => row.project_id === projectId)) return null;
  if (SERVICE_LABEL.test(host))
    return reservedName(`A part of ${host} begins with “_”, which is reserved for DNS records. Choose another host.`);

  const owner = projectOfHost(host, domain);
  const isOthers = owner !== null && owner !== project;
  if (isAdminOfAll(actor)) {
    return isOthers && projectBySlug(db, owner) !== undefined
      ? taken(
          `${host} is reserved for the project ${owner}, like all names below ${owner}.${domain}. Choose another host.`,
        )
      : null;
  }
  // The error message must not reveal whether another project with this name exists.
  if (isOthers)
    return taken(
      `${host} is reserved: below ${domain}, this project can only use names that end in ${project}.${domain}. ${ADVICE}`,
    );
  if (domain.toLowerCase().endsWith(`.${host}`))
    return taken(`${host} is a parent domain of ${domain}, the domain of the instance. ${ADVICE}`);
  const former = formerDomainOf(db, host, project, domain);
  if (former !== null) return taken(`${host} is reserved, because ${former} was a domain of this instance. ${ADVICE}`);
  return nearProblem(db, actor, host, projectId);
}

export interface ReservedProblem {
  /** `not_allowed` if no user can add the host. `taken` if another project or an admin of all projects can add it. */
  code: Extract<FieldCode, 'taken' | 'not_allowed'>;
  message: string;
}

function taken(message: string): ReservedProblem {
  return { code: 'taken', message };
}

function reservedName(message: string): ReservedProblem {
  return { code: 'not_allowed', message };
}

/** Placeholder id for a project that does not exist yet. No stored project has this id. */
const NO_PROJECT = 0;

const SERVICE_LABEL = /(^|\.)_/;

const ADVICE = 'Choose another host name, or ask an admin with access to all projects to add this domain to the app.';

/**
 * Returns an error if another project uses a parent domain or a subdomain of the host. The error message names this
 * domain only if the user can see the app of the other project.
 */
function nearProblem(db: Reader, actor: OpContext['actor'], host: string, projectId: number): ReservedProblem | null {
  const near = domainNear(db, host, projectId);
  if (near === undefined) return null;
  const position = host.length > near.host.length ? 'a subdomain of' : 'a parent domain of';
  const reference = seenReference(db, actor, near.app_id);
  return taken(
    reference === undefined
      ? `${host} is ${position} a host of another project. ${ADVICE}`
      : `${host} is ${position} ${near.host}, a host of ${reference}. ${ADVICE}`,
  );
}

const RESERVED: Record<ReservedHost, (host: string, domain: string) => string> = {
  instance: (host) => `${host} is the host of the dashboard. Choose another host.`,
  registry: (host) => `${host} is the host of the registry. Choose another host.`,
  app: (host, domain) =>
    `${host} has the form of the hosts that apps get automatically, \`app.environment.project.${domain}\`. Choose another host.`,
  machine: (host) =>
    `${host} is not available to apps, because the server and the local network use names of this kind. Choose another host.`,
};
