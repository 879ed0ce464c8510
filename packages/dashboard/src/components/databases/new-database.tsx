import type { DatabaseEngineOffer } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { query, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { databasePath, paths } from '../../paths.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { slugProblem } from '../../util/slug.ts';
import { nameProblem } from '../projects/created-problem.ts';
import { useEnvironmentReferences } from '../projects/environment-references.ts';
import { NameField } from '../projects/name-field.tsx';
import { type DatabaseDraft, databaseBody, draftAgain, keepDraft, missingIn, newDatabase } from './database-draft.ts';
import { EngineFields, MoreFields } from './new-database-fields.tsx';

const FIELDS = [
  'name',
  'engine',
  'version',
  'description',
  'extensions',
  'username',
  'database',
  'limits.cpu',
  'limits.memory_bytes',
  'expose',
] as const;

/**
 * Renders the form for a new database. After submission, the page of the new database shows the progress of the
 * creation.
 */
export function NewDatabase({
  place: target,
  project,
  again,
  onClose,
}: {
  /**
   * Environment in which the database is created, in the form `project/environment`. By default, the user selects an
   * environment in the form.
   */
  place?: string | undefined;
  /**
   * Project whose environments the user can select for the new database. By default, the user can select environments
   * of all projects.
   */
  project?: string | undefined;
  /** Reference of a database whose creation failed. The form then contains the values of this creation. */
  again?: string | undefined;
  onClose: () => void;
}) {
  const targets = useEnvironmentReferences(project);
  const [draft, setDraft] = useState<DatabaseDraft>(() =>
    again === undefined ? newDatabase(target ?? targets[0] ?? '') : draftAgain(again),
  );
  const engines = useQuery(query('listDatabaseEngines'));
  const forbidden = useForbidden('administer');
  const { mutate, isPending, error, reset } = useCreate();
  const set = (part: Partial<DatabaseDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    reset();
  };
  const taken = nameProblem(error, 'name');
  const offer = engines.data?.find(({ engine }) => engine === draft.engine);
  return (
    <FormDialog
      wide
      title={target ? `New database in ${target}` : 'New database'}
      description="A database runs in an environment, and apps of this environment can reach it by its name."
      action="Create database"
      busy={isPending}
      disabledBecause={forbidden ?? slugProblem(draft.name) ?? missingIn(draft)}
      error={error}
      isErrorShown={taken !== null}
      fields={FIELDS}
      noValidate
      onSubmit={() => {
        keepDraft(draft);
        mutate({ body: databaseBody(draft) });
      }}
      onClose={onClose}
    >
      {!target && (
        <SelectField
          label="Project and environment"
          value={draft.place}
          onChange={(next) => set({ place: next })}
          options={targets.map((value) => ({ value, label: value }))}
        />
      )}
      <NameField name={draft.name} onChange={(name) => set({ name })} refused={taken} />
      <Engines error={engines.error} offers={engines.data} />
      {engines.data && offer && (
        <>
          <EngineFields offers={engines.data} offer={offer} draft={draft} error={error} onChange={set} />
          <MoreFields offer={offer} draft={draft} error={error} onChange={set} />
        </>
      )}
    </FormDialog>
  );
}

function Engines({ error, offers }: { error: Error | null; offers: readonly DatabaseEngineOffer[] | undefined }) {
  if (error !== null) return <Problem error={error} />;
  return offers === undefined ? <Spinner label="Loading database engines" /> : null;
}

function useCreate() {
  const navigate = useNavigate();
  return useCall('createDatabase', {
    changes: ['listDatabases', 'getDatabase', 'listTasks'],
    onDone: ({ subject }) => void navigate({ to: paths.database(databasePath(subject.name)) }),
  });
}
