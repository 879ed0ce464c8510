import type { Project } from '@davit/api';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAnswer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { appPath, paths } from '../../paths.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { slugProblem } from '../../util/slug.ts';
import { type AppDraft, appBody, draftProblems, emptyDraft } from './app-draft.ts';
import { AppFields } from './app-fields.tsx';
import { nameProblem } from './created-problem.ts';

const FIELDS = ['name', 'image', 'port', 'source'];

export interface NewAppProps {
  /** Environment for the new app in the form `project/environment`. By default, the user selects an environment. */
  place?: string | undefined;
  /**
   * Project whose environments the user can select for the new app. By default, the user can select environments of all
   * projects.
   */
  project?: string | undefined;
  onClose: () => void;
}

/**
 * Renders the form for a new app. After the creation, the dashboard opens the app's page. If the user entered an image
 * tag, the deployment dialog opens too.
 */
export function NewApp({ place: target, project, onClose }: NewAppProps) {
  const environments = environmentReferencesOf(useAnswer('listProjects')).filter(
    (one) => !project || one.startsWith(`${project}/`),
  );
  const [draft, setDraft] = useState<AppDraft>(() => emptyDraft(target ?? environments[0] ?? ''));
  const [tried, setTried] = useState(false);
  const forbidden = useForbidden('operate');
  const navigate = useNavigate();
  const create = useCall('createApp', {
    changes: ['listApps', 'listRepositories'],
    onDone: (app) => {
      const search = draft.tag === '' ? {} : { deploy: '1', tag: draft.tag };
      void navigate({ to: paths.app(appPath(app.reference)), search: search as never });
    },
  });
  const missing = tried ? draftProblems(draft) : {};
  const submit = () => {
    setTried(true);
    const problems = Object.keys(draftProblems(draft)).length;
    if (problems === 0 && slugProblem(draft.name) === null) create.mutate({ body: appBody(draft) });
  };
  const change = (part: Partial<AppDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    create.reset();
  };
  const name = nameProblem(create.error, 'name');
  return (
    <FormDialog
      wide
      title={target ? `New app in ${target}` : 'New app'}
      description="The app starts with its first deployment."
      action={draft.tag === '' ? 'Create app' : 'Create app and show plan'}
      busy={create.isPending}
      disabledBecause={forbidden}
      error={create.error}
      isErrorShown={name !== null}
      fields={FIELDS}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      {!target && (
        <SelectField
          label="Project and environment"
          value={draft.place}
          onChange={(next) => change({ place: next })}
          options={environments.map((value) => ({ value, label: value }))}
          error={missing.place}
        />
      )}
      <AppFields draft={draft} onChange={change} missing={missing} error={create.error} nameRefused={name} />
    </FormDialog>
  );
}

function environmentReferencesOf(projects: readonly Project[]): string[] {
  return projects.flatMap(({ slug, environments }) => environments.map((environment) => `${slug}/${environment}`));
}
