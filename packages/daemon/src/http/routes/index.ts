import type { Binding } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { appRoutes } from './app.ts';
import { attachmentRoutes } from './attachment.ts';
import { auditRoutes } from './audit.ts';
import { backupRoutes } from './backup.ts';
import { certificateRoutes } from './certificate.ts';
import { databaseRoutes } from './database.ts';
import { deploymentRoutes } from './deployment.ts';
import { dnsProviderRoutes } from './dns-provider.ts';
import { domainRoutes } from './domain.ts';
import { eventRoutes } from './event.ts';
import { imageRoutes } from './image.ts';
import { instanceRoutes } from './instance.ts';
import { lifecycleRoutes } from './lifecycle.ts';
import { logRoutes } from './log.ts';
import { metricRoutes } from './metric.ts';
import { bucketRoutes, managedStoreRoutes, storeRoutes } from './object-store.ts';
import { projectRoutes } from './project.ts';
import { registryRoutes } from './registry.ts';
import { releaseRoutes } from './release.ts';
import { repositoryRoutes } from './repository.ts';
import { revisionRoutes } from './revision.ts';
import { runRoutes } from './run.ts';
import { scheduleRoutes } from './schedule.ts';
import { settingsRoutes } from './settings.ts';
import { taskRoutes } from './task.ts';
import { tcpPortRoutes } from './tcp-port.ts';
import { templateRoutes } from './template.ts';
import { templateInstallRoutes } from './template-install.ts';
import { unrecordedRoutes } from './unrecorded.ts';
import { userRoutes } from './user.ts';
import { variableRoutes } from './variables.ts';
import { volumeRoutes } from './volume.ts';

const ROUTES: readonly ((core: HttpDeps) => Binding[])[] = [
  instanceRoutes,
  settingsRoutes,
  projectRoutes,
  appRoutes,
  lifecycleRoutes,
  deploymentRoutes,
  revisionRoutes,
  variableRoutes,
  domainRoutes,
  volumeRoutes,
  tcpPortRoutes,
  backupRoutes,
  databaseRoutes,
  attachmentRoutes,
  taskRoutes,
  storeRoutes,
  managedStoreRoutes,
  bucketRoutes,
  runRoutes,
  scheduleRoutes,
  logRoutes,
  metricRoutes,
  eventRoutes,
  registryRoutes,
  imageRoutes,
  unrecordedRoutes,
  dnsProviderRoutes,
  certificateRoutes,
  repositoryRoutes,
  releaseRoutes,
  templateRoutes,
  templateInstallRoutes,
  userRoutes,
  auditRoutes,
];

/** Returns all operations of the API with their handlers. */
export const bindings = (core: HttpDeps): Binding[] => ROUTES.flatMap((routes) => routes(core));
