/**
 * Tags that group the API operations in the OpenAPI document, in the order of the document. Each tag has a description
 * in one sentence.
 */
export const TAGS = {
  Projects: 'Projects, their environments and their quotas.',
  Apps: 'Apps and their settings.',
  Deployments: 'Deployments, rollbacks and promotions of apps.',
  Revisions: 'Stored versions of the settings and variables of an app.',
  Variables: 'Environment variables of projects, environments and apps.',
  Domains: 'Host names of apps.',
  Volumes: 'Persistent data of apps.',
  'TCP ports': 'Public TCP ports of apps.',
  Databases: 'Databases that the instance runs, and their attachments to apps.',
  'Object stores': 'Object stores, their buckets and objects, and the attachments of buckets to apps.',
  Backups: 'Backups of databases, their schedules and restores.',
  Tasks: 'Long-running operations, for example restores.',
  Runs: 'Commands that run once in a container of an app.',
  Schedules: 'Commands of apps that run at scheduled times.',
  Logs: 'Log lines of apps.',
  Metrics: 'Resource use of apps and of the server.',
  Events: 'Streams of events about deployments, apps and other resources.',
  Instance: 'State of the Davit instance and its platform images.',
  Settings: 'Settings of the Davit instance.',
  Registries: 'Credentials for other registries.',
  Images: 'Images that Davit keeps in Docker.',
  'Unrecorded data': 'Orphaned volumes and images: Docker has them, but Davit has no record of them.',
  'DNS providers': 'DNS providers for certificates with wildcards.',
  Certificates: 'TLS certificates and the certificate authority.',
  Registry: 'Registry of the instance and its repositories.',
  Releases: 'Releases of apps in the registry of the instance.',
  Templates: 'Templates and their installations.',
  Users: 'Users, API keys, sessions and OAuth connections.',
  Audit: 'Audit log of the instance.',
} as const;
export type OperationTag = keyof typeof TAGS;
