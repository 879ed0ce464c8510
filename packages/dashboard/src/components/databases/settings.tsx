import { useState } from 'react';
import { useAnswer, useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../ui/toast.tsx';
import { AskBeforeLeaving } from '../../ui/unsaved.tsx';
import { errorBeside, errorFor } from '../../util/field-error.ts';
import { DatabaseDeeds } from './deeds.tsx';
import { LimitFields } from './limit-fields.tsx';
import { type SettingsDraft, settingsOf, settingsPatch, settingsProblem } from './settings-draft.ts';
import { useDatabase } from './use-database.ts';

const FIELDS = ['description', 'limits.cpu', 'limits.memory_bytes'];

export function DatabaseSettings() {
  const engines = useAnswer('listDatabaseEngines');
  const { database } = useDatabase();
  return (
    <>
      <General />
      <DatabaseDeeds offer={engines.find(({ engine }) => engine === database.engine)} />
    </>
  );
}

/** What is typed stands over what the database has; everything else shows what it has now. */
function General() {
  const { database, params, not } = useDatabase();
  const [draft, setDraft] = useState<Partial<SettingsDraft>>({});
  const save = useCall('patchDatabase', {
    changes: ['getDatabase', 'listDatabases'],
    onDone: () => {
      setDraft({});
      say('Saved.');
    },
  });
  const shown = { ...settingsOf(database), ...draft };
  const patch = settingsPatch(database, draft);
  const missing = patch === null ? 'Nothing is changed.' : settingsProblem(draft);
  const set = (part: Partial<SettingsDraft>) => setDraft((before) => ({ ...before, ...part }));
  const beside = errorBeside(save.error, FIELDS);
  return (
    <Card title="General" description="Limits act at once, on what runs.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (patch !== null && missing === null && not.change === null) save.mutate({ params, body: patch });
        }}
      >
        <fieldset disabled={not.change !== null} className="flex max-w-2xl flex-col gap-4">
          <legend className="sr-only">General</legend>
          <TextField
            label="Description"
            value={shown.description}
            onChange={({ target }) => set({ description: target.value })}
            error={errorFor(save.error, 'description')}
          />
          <LimitFields limits={shown} error={save.error} onChange={set} />
        </fieldset>
        {beside && <Problem className="mt-4" error={beside} />}
        <div className="mt-5 flex justify-end gap-2 border-t border-line pt-4">
          <Button disabledBecause={patch === null ? 'Nothing is changed.' : null} onClick={() => setDraft({})}>
            Discard
          </Button>
          <Button type="submit" kind="primary" busy={save.isPending} disabledBecause={not.change ?? missing}>
            Save
          </Button>
        </div>
      </form>
      <AskBeforeLeaving unsaved={patch !== null} what="Settings" />
    </Card>
  );
}
