/**
 * Names of the enumerations (lists of at least two texts) in the OpenAPI document. Generated clients have a type for
 * each name.
 */
import { SORTS } from '../catalog/limits.ts';
import { CatalogManifest } from '../catalog/manifest.ts';
import { ERRORS, FIELD_CODES } from '../errors.ts';
import { ROLES } from '../permissions.ts';
import { CERTIFICATE_PROBLEM_CODES } from '../problems/certificate.ts';
import { PLATFORM_PROBLEM_CODES } from '../problems/platform.ts';
import { REGISTRY_PROBLEM_CODES } from '../problems/registry.ts';
import { TEMPLATE_PROBLEM_CODES } from '../problems/template.ts';
import { DEPLOYMENT_PROBLEM_CODES, WORK_PROBLEM_CODES } from '../problems/work.ts';
import { Me } from '../schemas/account.ts';
import { AppSource, AppSpec, Stop } from '../schemas/app.ts';
import { AppAttachment } from '../schemas/attachment.ts';
import { AUDIT_OUTCOMES } from '../schemas/audit.ts';
import { BACKUP_ORIGINS, BACKUP_STATUSES, Backup } from '../schemas/backup.ts';
import { ObjectEntry, ObjectPresign } from '../schemas/bucket.ts';
import { CERTIFICATE_KINDS, CERTIFICATE_STATUSES, Certificate, LIMIT_KINDS } from '../schemas/certificate.ts';
import { Via } from '../schemas/common.ts';
import { DATABASE_ENGINES, DatabaseEngineOffer } from '../schemas/database-engine.ts';
import { TRIGGER_KINDS } from '../schemas/deployment.ts';
import { DomainHttps, DomainProtocol } from '../schemas/domain.ts';
import {
  APP_CHANGES,
  DeploymentEvent,
  INSTANCE_CHANGES,
  InstanceEvent,
  RESET_REASONS,
  RESOURCE_CHANGES,
} from '../schemas/event.ts';
import { KEPT_FOR } from '../schemas/image.ts';
import { DISK_STATES, Instance, PlatformImage } from '../schemas/instance.ts';
import { CHECK_NAMES, CHECK_STATES } from '../schemas/instance-check.ts';
import { LOG_FORMATS, LogLine } from '../schemas/log.ts';
import { MetricWindowName } from '../schemas/metric.ts';
import { ObjectStore, ObjectStoreCheck } from '../schemas/object-store.ts';
import { OBJECT_STORE_PROVIDERS, ObjectStoreProvider } from '../schemas/object-store-link.ts';
import { ProjectDeletion } from '../schemas/project.ts';
import { QUOTA_RESOURCES } from '../schemas/quota.ts';
import { OwnRegistry } from '../schemas/repository.ts';
import { REVISION_REASONS, RestoredRevision, RevisionComparison } from '../schemas/revision.ts';
import { RUN_STATUSES } from '../schemas/run.ts';
import { InstanceSettings } from '../schemas/settings.ts';
import { RESOURCE_EVENT_KINDS, TASK_SUBJECTS } from '../schemas/task.ts';
import { TEMPLATE_NOTES, TemplateImport } from '../schemas/template-import.ts';
import {
  INSTALL_SOURCES,
  INSTALL_STATUSES,
  InstallResource,
  PlannedResource,
  RESOURCE_KINDS,
} from '../schemas/template-install.ts';
import { UNRECORDED_KINDS } from '../schemas/unrecorded.ts';
import { VARIABLE_SOURCES } from '../schemas/variables.ts';
import { VOLUME_STATES } from '../schemas/volume.ts';
import { APP_STATUSES, REPLICA_STATES } from '../states/app.ts';
import { DATABASE_STATUSES } from '../states/database.ts';
import { DEPLOYMENT_PHASES, DEPLOYMENT_STATUSES } from '../states/deployment.ts';
import { OBJECT_STORE_STATUSES } from '../states/object-store.ts';
import { TASK_STATUSES } from '../states/task.ts';

const { inputs, apps, jobs } = CatalogManifest.shape;
const [, builtSource] = apps.element.shape.source.options;

/** Map from the name of an enumeration to its values. No other schema may have the same name. */
export const ENUMERATIONS: Readonly<Record<string, readonly string[]>> = {
  AppChange: APP_CHANGES,
  AppSource: AppSource.options,
  AppStatus: APP_STATUSES,
  AttachmentKind: AppAttachment.shape.kind.options,
  AuditOutcome: AUDIT_OUTCOMES,
  AuthorityLimitKind: LIMIT_KINDS,
  BackupKind: Backup.shape.kind.options,
  BackupOrigin: BACKUP_ORIGINS,
  BackupStatus: BACKUP_STATUSES,
  CertificateKind: CERTIFICATE_KINDS,
  CertificateProblemCode: CERTIFICATE_PROBLEM_CODES,
  CertificateStatus: Certificate.shape.status.options,
  ContainerEngine: Instance.shape.engine.shape.kind.options,
  Credential: Me.shape.credential.options,
  DatabaseEngineName: DATABASE_ENGINES,
  DatabaseStatus: DATABASE_STATUSES,
  DatabaseVariableStem: DatabaseEngineOffer.shape.stem.options,
  DeploymentPhase: DEPLOYMENT_PHASES,
  DeploymentProblemCode: DEPLOYMENT_PROBLEM_CODES,
  DeploymentStatus: DEPLOYMENT_STATUSES,
  DiagnosticSeverity: TemplateImport.shape.problems.element.shape.severity.options,
  DiskState: DISK_STATES,
  DomainCertificateStatus: CERTIFICATE_STATUSES,
  DomainHttps: DomainHttps.options,
  DomainProtocol: DomainProtocol.options,
  ErrorCode: Object.keys(ERRORS),
  FieldCode: Object.keys(FIELD_CODES),
  HeldImageReason: KEPT_FOR,
  InstanceChange: INSTANCE_CHANGES,
  InstanceCheckName: CHECK_NAMES,
  InstanceCheckState: CHECK_STATES,
  LogFormat: LOG_FORMATS,
  LogStream: LogLine.shape.stream.options,
  MetricWindow: MetricWindowName.options,
  ObjectEntryKind: ObjectEntry.shape.kind.options,
  ObjectStoreCheckStep: ObjectStoreCheck.shape.steps.element.shape.step.options,
  ObjectStoreDeletionOutcome: ProjectDeletion.shape.object_stores.element.shape.outcome.options,
  ObjectStoreKind: ObjectStore.shape.kind.options,
  ObjectStoreOptionalField: ObjectStoreProvider.shape.takes.element.options,
  ObjectStoreProviderCode: OBJECT_STORE_PROVIDERS,
  ObjectStoreRequiredField: ObjectStoreProvider.shape.asks.element.options,
  ObjectStoreStatus: OBJECT_STORE_STATUSES,
  PlatformImageUpdateState: PlatformImage.shape.update.unwrap().shape.state.options,
  PlatformProblemCode: PLATFORM_PROBLEM_CODES,
  PresignedMethod: ObjectPresign.shape.method.options,
  PullPolicy: AppSpec.shape.pull.unwrap().options,
  QuotaResource: QUOTA_RESOURCES,
  RegistryProblemCode: REGISTRY_PROBLEM_CODES,
  RegistryStatus: OwnRegistry.shape.status.options,
  ReplicaEventState: InstanceEvent.shape.state.unwrap().options,
  ReplicaState: REPLICA_STATES,
  ResetReason: RESET_REASONS,
  ResourceChange: RESOURCE_CHANGES,
  ResourceEventKind: RESOURCE_EVENT_KINDS,
  RevisionReason: REVISION_REASONS,
  Role: ROLES,
  RunStatus: RUN_STATUSES,
  SharedVariableSource: RestoredRevision.shape.not_restored.element.shape.source.options,
  StepState: DeploymentEvent.shape.step.unwrap().shape.state.options,
  StopSignal: Stop.shape.signal.unwrap().options,
  TaskStatus: TASK_STATUSES,
  TaskSubjectKind: TASK_SUBJECTS,
  TemplateAttachmentKind: apps.element.shape.attach.element.shape.kind.options,
  TemplateBuilder: builtSource.shape.type.options,
  TemplateInputType: inputs.element.shape.type.options,
  TemplateInstallStatus: INSTALL_STATUSES,
  TemplateJobTrigger: jobs.unwrap().element.shape.on.options,
  TemplateNoteKind: TEMPLATE_NOTES,
  TemplateOriginKind: INSTALL_SOURCES,
  TemplatePlanAction: PlannedResource.shape.action.options,
  TemplateProblemCode: TEMPLATE_PROBLEM_CODES,
  TemplateResourceKind: RESOURCE_KINDS,
  TemplateResourceState: InstallResource.shape.state.options,
  TemplateSecretFormat: inputs.element.shape.format.unwrap().options,
  TemplateSort: SORTS,
  TransportProtocol: InstanceSettings.shape.host_access.unwrap().element.shape.protocol.unwrap().options,
  TriggerKind: TRIGGER_KINDS,
  UnrecordedKind: UNRECORDED_KINDS,
  VariableChange: RevisionComparison.shape.variables.element.shape.change.options,
  VariableSource: VARIABLE_SOURCES,
  Via: Via.options,
  VolumeState: VOLUME_STATES,
  WorkProblemCode: WORK_PROBLEM_CODES,
};
