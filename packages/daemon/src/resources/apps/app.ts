import {
  type App,
  type AppAttachment,
  type AppReplica,
  appStatus,
  hasLabels,
  type LabelCondition,
  type ReplicaState,
  timestamp,
} from '@davit/api';
import { defaultHost } from '../../adapters/proxy/routes.ts';
import { type AppTarget, appTarget } from '../../app-spec/app-target.ts';
import { attachmentKeys } from '../../app-spec/attachment-values.ts';
import { mountsDiffer, mountsOf } from '../../app-spec/mounts.ts';
import { internalHost } from '../../app-spec/names.ts';
import { isSameRelease } from '../../app-spec/same-release.ts';
import type { OpContext } from '../../auth/context.ts';
import { listApps as listAppRows } from '../../db/tables/app.ts';
import { allNamedAttachments, type NamedAttachment, namedAttachmentsOfApp } from '../../db/tables/attachment.ts';
import { type LastDeploymentRow, lastDeploymentOfApp, lastDeployments } from '../../db/tables/deployment.ts';
import { allDomains, type DomainRow, domainsOfApp } from '../../db/tables/domain.ts';
import { allInstances, type InstanceRow, instancesOfApp } from '../../db/tables/instance.ts';
import { allTcpPorts, type TcpPortRow, tcpPortsOfApp } from '../../db/tables/tcp-port.ts';
import { type AppVolumeRow, allVolumes, volumesOfApp } from '../../db/tables/volume.ts';
import { mapPage, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import { presentDomain } from '../domains/rules.ts';
import { pushAddress } from '../registry/push-address.ts';
import type { AppsDeps } from './deps.ts';

export function readApp(core: AppsDeps, _ctx: OpContext, app: AppTarget): App {
  return presentApp(core, app);
}

/**
 * Returns the apps that the user can see, sorted by reference. The function reads the domains, replicas and other rows
 * of all apps at once, so that long lists are fast.
 * @param labels conditions for the labels of an app. A returned app meets all conditions.
 */
export function listApps(
  core: AppsDeps,
  { actor }: OpContext,
  labels: readonly LabelCondition[] = [],
  query: PageQuery = {},
): Page<App> {
  const { store } = core;
  const byApp = <R extends { app_id: number }>(rows: R[]) => Map.groupBy(rows, (row) => row.app_id);
  const domains = byApp(allDomains(store));
  const replicas = byApp(allInstances(store));
  const volumes = byApp(allVolumes(store));
  const tcpPorts = byApp(allTcpPorts(store));
  const attachments = byApp(allNamedAttachments(store));
  const last = new Map(lastDeployments(store).map((row) => [row.app_id, row]));
  const apps = listAppRows(store, actor.projects).map(appTarget);
  const labelled = labels.length === 0 ? apps : apps.filter(({ spec }) => hasLabels(spec.labels, labels));
  const page = pageOf(labelled, (app) => app.reference, query);
  return mapPage(page, (app) =>
    present(core, app, {
      domains: domains.get(app.id) ?? [],
      replicas: replicas.get(app.id) ?? [],
      volumes: volumes.get(app.id) ?? [],
      tcpPorts: tcpPorts.get(app.id) ?? [],
      attachments: attachments.get(app.id) ?? [],
      last: last.get(app.id),
    }),
  );
}

/** Returns an app in the form of the API response: its settings, and the last observed state of its containers. */
export function presentApp(core: AppsDeps, app: AppTarget): App {
  const { store } = core;
  const related = store.memoCopy(`related ${app.id}`, () => ({
    domains: domainsOfApp(store, app.id),
    replicas: instancesOfApp(store, app.id),
    volumes: volumesOfApp(store, app.id),
    tcpPorts: tcpPortsOfApp(store, app.id),
    attachments: namedAttachmentsOfApp(store, app.id),
    last: lastDeploymentOfApp(store, app.id),
  }));
  return present(core, app, related);
}

/** Rows from other SQLite tables that belong to the same app, for example the app's domains and replicas. */
interface Related {
  domains: DomainRow[];
  replicas: InstanceRow[];
  volumes: AppVolumeRow[];
  tcpPorts: TcpPortRow[];
  attachments: NamedAttachment[];
  /** Newest deployment of the app, or `undefined` if the app has no deployment. */
  last: LastDeploymentRow | undefined;
}

function present(core: AppsDeps, app: AppTarget, related: Related): App {
  const { spec, project, environment, name, liveDeployment } = app;
  const { facts } = core;
  const { seenAt } = core.engineSight();
  return {
    reference: app.reference,
    project: project.slug,
    environment: environment.slug,
    name,
    ...spec,
    files: spec.files.map(({ path, mode, version = '' }) => ({ path, mode, version })),
    image: spec.image ?? pushAddress(core, app.reference),
    autodeploy: spec.source === 'registry' && spec.tag === null,
    domains: related.domains.map(presentDomain),
    volumes: related.volumes.map(({ id, path, name }) => ({ id, path, name })),
    attachments: related.attachments.map(presentAttachment),
    tcp_ports: related.tcpPorts.map(({ id, container_port, host_port }) => ({ id, container_port, host_port })),
    status: statusOf(app, related.replicas),
    status_reason: core.engineSight().reasonOf(app.id),
    replicas: related.replicas.flatMap(presentReplica),
    live_deployment: liveDeployment,
    live_tag: app.liveTag,
    last_deployment: presentLast(related.last),
    revision: app.revision,
    pending_changes: isAheadOfLive(core, app, related),
    internal_host: internalHost(app),
    suggested_host: defaultHost({ project: project.slug, environment: environment.slug, app: name }, facts.domain),
    observed_at: timestamp(seenAt),
    created_at: timestamp(app.createdAt),
    updated_at: timestamp(app.updatedAt),
  };
}

/**
 * Returns whether the app needs a deployment. An app needs a deployment if its settings, variables, volumes or ports
 * differ from its live release.
 */
function isAheadOfLive(core: AppsDeps, app: AppTarget, { volumes, tcpPorts }: Related): boolean {
  const { liveRevision, liveMounts, settingsRevision } = app;
  if (liveRevision === null) return false;
  if (mountsDiffer(liveMounts, mountsOf(volumes, tcpPorts))) return true;
  /*
   * If a user restores an old revision of the settings, the revision gets a new number. So also compare its content
   * with the content of the live release.
   */
  return liveRevision < settingsRevision && !isSameRelease(core, app, liveRevision);
}

/**
 * Returns the status of an app, based on its active replicas. The function does not use the setting `scale`, because a
 * change of `scale` may not be deployed yet.
 */
function statusOf(app: AppTarget, replicas: InstanceRow[]): App['status'] {
  const states = replicas.filter((row) => row.role === 'active').flatMap((row) => stateOf(row) ?? []);
  return appStatus(app.liveDeployment === null ? null : states, states.length, app.stopped);
}

function presentLast(row: LastDeploymentRow | undefined): App['last_deployment'] {
  return row === undefined ? null : { id: row.id, status: row.status, error_code: row.error_code };
}

function presentAttachment({ name, engine, bucket, prefix }: NamedAttachment): AppAttachment {
  const variables = attachmentKeys(engine, prefix).map(({ key }) => key);
  return { kind: engine === null ? 'bucket' : 'database', name, bucket, prefix, variables };
}

function presentReplica(row: InstanceRow): AppReplica[] {
  const state = stateOf(row);
  if (state === null) return [];
  return [
    {
      name: row.name,
      deployment: row.deployment_id,
      state,
      address: row.address,
      restarts: row.restarts,
      started_at: timestamp(row.started_at),
    },
  ];
}

/** Returns the state of a replica as the API shows it, or `null` if the replica's container was removed. */
function stateOf({ role, observed }: InstanceRow): ReplicaState | null {
  switch (role) {
    case 'starting':
    case 'draining':
      return role;
    case 'active':
      // An active replica has passed its readiness checks, so its state is `ready` until its container stops.
      return observed === 'down' ? 'down' : 'ready';
    case 'gone':
      return null;
  }
}
