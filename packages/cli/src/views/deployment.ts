import { type Deployment, deploymentStepWords, triggerWords, whyWords } from '@davit/api';
import type { Style } from '../output/paint.ts';
import type { ListView } from '../output/printer.ts';
import type { Field } from '../output/record.ts';
import { minute, statusWord, took } from '../output/words.ts';

const STYLES: Record<Deployment['status'], Style | undefined> = {
  pending: 'dim',
  running: 'cyan',
  succeeded: 'green',
  failed: 'red',
  cancelled: 'yellow',
  skipped: 'dim',
};

export const deploymentList: ListView<Deployment> = {
  columns: [
    { header: 'deployment', value: ({ id }) => id, align: 'right', style: () => 'bold' },
    { header: 'status', value: statusOf, style: ({ status }) => STYLES[status] },
    { header: 'tag', value: ({ tag }) => tag },
    { header: 'trigger', value: triggerWords },
    { header: 'created', value: ({ created_at }) => minute(created_at) },
    { header: 'duration', value: ({ duration_ms }) => took(duration_ms), align: 'right' },
    { header: 'error', value: ({ error }) => error ?? '' },
  ],
  id: ({ id }) => id,
  empty: 'No deployments found. Deploy the app: davit app deploy <app>',
};

export function deploymentFields(deployment: Deployment): Field[] {
  const { promoted_from } = deployment;
  return [
    ['deployment', deployment.id, 'bold'],
    ['app', deployment.app],
    ['status', statusOf(deployment), STYLES[deployment.status]],
    ['error', deployment.error ?? undefined, 'red'],
    ['image', deployment.image],
    ['digest', deployment.digest],
    ['revision', deployment.revision],
    ['trigger', whyWords(deployment)],
    ['rollback of', deployment.rollback_of ?? undefined],
    [
      'promoted from',
      promoted_from === null
        ? undefined
        : `${promoted_from.app ?? 'an app that you cannot see'}, deployment ${promoted_from.deployment}`,
    ],
    ['superseded by', deployment.superseded_by ?? undefined],
    ['created', minute(deployment.created_at)],
    ['duration', took(deployment.duration_ms)],
    [
      'steps',
      deployment.steps.map(
        ({ name, finished_at, error }) =>
          `${deploymentStepWords(name)}${error ? `: ${error}` : finished_at ? '' : ' …'}`,
      ),
    ],
    ['log', deployment.log],
  ];
}

function statusOf({ status, phase, live }: Deployment): string {
  const word = statusWord(status);
  if (live) return `${word}, live`;
  return phase === null ? word : `${word}, ${phase}`;
}
