import { useAnswer, useCall } from '../../api.ts';
import { say } from '../../ui/toast.tsx';
import { GeneralForm } from '../things/general-form.tsx';
import { DatabaseDeeds } from './deeds.tsx';
import { useDatabase } from './use-database.ts';

export function DatabaseSettings() {
  const engines = useAnswer('listDatabaseEngines');
  const { database, params, not } = useDatabase();
  const save = useCall('patchDatabase', { changes: ['getDatabase', 'listDatabases'], onDone: () => say('Saved.') });
  return (
    <>
      <GeneralForm
        known={database}
        forbidden={not.change}
        call={save}
        send={({ description, ...rest }, onSuccess) => {
          const described = description === undefined ? {} : { description: description || null };
          save.mutate({ params, body: { ...rest, ...described } }, { onSuccess });
        }}
      />
      <DatabaseDeeds offer={engines.find(({ engine }) => engine === database.engine)} />
    </>
  );
}
