import { count, type Deployment, doneOf, type Planned, plannedOf, type Variables } from '@davit/api';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, matching, useCall } from '../../api.ts';
import { paths } from '../../paths.ts';
import { say } from '../../ui/toast.tsx';
import type { PlannedChange } from '../app/change-plan.ts';
import { requestFor, type VariablesRequest } from './changes.ts';
import type { VariablesDraft } from './draft.ts';
import { type Level, type LevelAnswers, OPERATIONS } from './level.ts';
import { hasChanged } from './refusal.ts';

export interface SaveVariables {
  isReviewed: boolean;
  review: (open: boolean) => void;
  save: (deploy: boolean) => void;
  saving: 'save' | 'deploy' | null;
  /** Unsaved change whose deployment plan is shown. `null` if there are no changes or a save is in progress. */
  planned: PlannedChange | null;
  error: Error | null;
}

/**
 * Saves all unsaved environment variables in one request. If another user has changed the variables, the request fails.
 * The unsaved changes are then kept.
 */
export function useSaveVariables(level: Level, { answer, own }: LevelAnswers, draft: VariablesDraft): SaveVariables {
  const { merge, replace, read, changes } = OPERATIONS[level.source];
  const queries = useQueryClient();
  const [isReviewed, review] = useState(false);
  const done = useSaved(level, draft, () => review(false));
  const calls = {
    merge: useCall(merge, { changes, onDone: done }),
    replace: useCall(replace, { changes, onDone: done }),
  };
  const [kind, setKind] = useState<'merge' | 'replace'>('merge');
  const [deploys, setDeploys] = useState(false);
  const call = calls[kind];
  const save = (deploy: boolean) => {
    const request = requestFor(own.entries, draft.edits);
    setKind(request.kind);
    setDeploys(deploy);
    const args = {
      params: level.path as never,
      ...(deploy && { query: { deploy: 'true' as const } }),
      ...matching(answer),
    };
    /*
     * If another user has changed the environment variables, fetch the variables again. The page then shows the changes
     * of both users.
     */
    const onError = (error: Error) => {
      if (hasChanged(error)) void queries.invalidateQueries({ queryKey: [read] });
    };
    if (request.kind === 'merge') calls.merge.mutate({ ...args, body: request.body }, { onError });
    else calls.replace.mutate({ ...args, body: request.body }, { onError });
  };
  return {
    isReviewed,
    review: (open) => {
      if (!open) call.reset();
      review(open);
    },
    save,
    planned: draft.isChanged && !call.isPending ? plannedSave(level, requestFor(own.entries, draft.edits)) : null,
    saving: call.isPending ? (deploys ? 'deploy' : 'save') : null,
    error: call.error,
  };
}

function plannedSave({ source, path }: Level, { kind, body }: VariablesRequest): PlannedChange {
  const operation = OPERATIONS[source][kind];
  const dry = { dry_run: 'true' } as const;
  const params = path as never;
  return {
    key: [operation, path, dry, body],
    ask: async (signal) => plannedOf(await api[operation]({ params, query: dry, body: body as never, signal })),
  };
}

/**
 * Returns a function that resets the form after a save. If the save started exactly one deployment, the function opens
 * the page of this deployment.
 */
function useSaved(level: Level, draft: VariablesDraft, close: () => void) {
  const navigate = useNavigate();
  return (said: Variables | Deployment | Deployment[] | Planned) => {
    const answer = doneOf(said);
    draft.reset();
    close();
    if (Array.isArray(answer)) {
      const started = answer.length;
      say(
        started === 0
          ? 'Saved. No deployment is needed, because the variables of all running apps stay the same.'
          : `Saved. ${count(started, 'deployment has', 'deployments have')} started.`,
      );
    } else if ('id' in answer && level.source === 'app') {
      say(`Saved. Deployment ${answer.id} has started.`);
      void navigate({ to: paths.appDeployment({ ...level.path, deployment: answer.id }), ignoreBlocker: true });
    } else say('Saved.');
  };
}
