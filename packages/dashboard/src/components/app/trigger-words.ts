import type { Deployment, Trigger } from '@davit/api';

type Asked = Pick<Deployment, 'trigger' | 'rollback_of' | 'promoted_from'>;

const VIA: Record<Trigger['via'], string> = {
  api: 'through the API',
  dashboard: 'in the dashboard',
  cli: 'with the command line',
  mcp: 'through an agent',
  local: 'on the machine itself',
  push: 'by a push',
  schedule: 'by itself',
};

/** Why there was a deployment, in words: «pushed by ada», «rolled back to #12 by ada». */
export function triggerWords({ trigger, rollback_of, promoted_from }: Asked): string {
  const { kind, by } = trigger;
  switch (kind) {
    case 'api':
      return `deployed by ${by}`;
    case 'push':
      return `pushed by ${by}`;
    case 'rollback':
      return `rolled back to #${rollback_of} by ${by}`;
    case 'promote':
      return `promoted from ${promoted_from?.app ?? 'another project'} by ${by}`;
    case 'scale':
      return `scaled by ${by}`;
    case 'restart':
      return `restarted by ${by}`;
    case 'start':
      return `started by ${by}`;
    case 'template':
      return `installed from a template by ${by}`;
  }
}

/** The same, with what it came through: «deployed by ada, in the dashboard». A push says that by itself. */
export function whyWords(deployment: Asked): string {
  const { kind, via } = deployment.trigger;
  const words = triggerWords(deployment);
  return kind === 'push' ? words : `${words}, ${VIA[via]}`;
}

/** The beginning of a digest, as people compare them. */
export function shortDigest(digest: string): string {
  return digest.replace(/^sha256:/, '').slice(0, 12);
}
