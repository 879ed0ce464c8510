/** Texts about the start of a deployment. The dashboard and the command line show the same texts. */
import type { Deployment, Trigger } from './schemas/deployment.ts';

type TriggeredDeployment = Pick<Deployment, 'trigger' | 'rollback_of' | 'promoted_from'>;

const VIA: Record<Trigger['via'], string> = {
  api: 'through the API',
  dashboard: 'in the dashboard',
  cli: 'on the command line',
  mcp: 'through an MCP client',
  local: 'on the command line of the server',
  push: 'by a push',
  schedule: 'automatically',
};

/** Describes how a deployment was started, such as `pushed by ada` or `rolled back to #12 by ada`. */
export function triggerWords({ trigger, rollback_of, promoted_from }: TriggeredDeployment): string {
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

/**
 * Describes how and from which client a deployment was started, such as `deployed by ada, in the dashboard`. For a
 * push, the client is omitted.
 */
export function whyWords(deployment: TriggeredDeployment): string {
  const { kind, via } = deployment.trigger;
  const words = triggerWords(deployment);
  return kind === 'push' ? words : `${words}, ${VIA[via]}`;
}
