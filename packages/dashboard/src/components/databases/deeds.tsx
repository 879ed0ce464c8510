import type { DatabaseEngineOffer } from '@davit/api';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Deed } from '../../ui/deed.tsx';
import { say, sayProblem } from '../../ui/toast.tsx';
import { AddExtensions, CloneDatabase, RotatePassword, UpgradeDatabase } from './deed-dialogs.tsx';
import { DeleteDatabase } from './delete-database.tsx';
import { useDatabase } from './use-database.ts';
import { addable, newerVersions } from './versions.ts';

type Open = 'rotate' | 'extend' | 'upgrade' | 'clone' | 'delete';

/** Renders important actions on a database. Each action is a task, and the page shows its steps. */
export function DatabaseDeeds({ offer }: { offer: DatabaseEngineOffer | undefined }) {
  const { database, not } = useDatabase();
  const [open, setOpen] = useState<Open | null>(null);
  const { name, version } = database;
  const extensions = addable(database, offer);
  const versions = newerVersions(database, offer);
  const onClose = () => setOpen(null);
  const button = (what: Open, label: string, because: string | null) => (
    <Button kind={what === 'delete' ? 'danger' : 'plain'} disabledBecause={because} onClick={() => setOpen(what)}>
      {label}
    </Button>
  );
  return (
    <>
      <Card title="Changes">
        <div className="divide-y divide-line">
          <Deed
            title="Another password"
            says="Without downtime: apps that are attached are deployed with it, and the former one ends when nothing uses it any more."
          >
            {button('rotate', 'Rotate the password…', not.rotate)}
          </Deed>
          {database.engine === 'postgres' && (
            <Deed title="Extensions" says={`It has ${database.extensions.join(', ') || 'none'}. None is ever removed.`}>
              {button('extend', 'Add extensions…', not.extend ?? (extensions.length === 0 ? 'It has all.' : null))}
            </Deed>
          )}
          {database.engine === 'redis' && <AllowConfig />}
          <Deed title="Upgrade" says={`It is version ${version}. It is out of reach until the upgrade has ended.`}>
            {button(
              'upgrade',
              'Upgrade…',
              not.upgrade ?? (versions.length === 0 ? 'This is the newest version on offer.' : null),
            )}
          </Deed>
          <Deed title="Clone" says="A new database with what this one has now, with a password of its own.">
            {button('clone', 'Clone…', not.copy)}
          </Deed>
        </div>
      </Card>
      <Card title="Danger">
        <Deed
          title="Delete the database"
          says="It is stopped and comes to the trash with its data, for the days that the settings name."
        >
          {button('delete', 'Delete…', not.delete)}
        </Deed>
      </Card>
      {open === 'rotate' && <RotatePassword onClose={onClose} />}
      {open === 'extend' && <AddExtensions extensions={extensions} onClose={onClose} />}
      {open === 'upgrade' && <UpgradeDatabase versions={versions} onClose={onClose} />}
      {open === 'clone' && <CloneDatabase onClose={onClose} />}
      {open === 'delete' && <DeleteDatabase name={name} onClose={onClose} />}
    </>
  );
}

/**
 * Allows or denies the command `CONFIG` of Redis to the login of apps. The change takes effect at once, so this setting
 * has its own button.
 */
function AllowConfig() {
  const { database, params, not } = useDatabase();
  const { allow_config: isAllowed, name } = database;
  const change = useCall('patchDatabase', {
    changes: ['getDatabase', 'listDatabases'],
    onDone: ({ allow_config }) => say(`Apps ${allow_config ? 'can' : 'cannot'} use CONFIG of ${name}.`),
  });
  const allow = (allow_config: boolean) => change.mutate({ params, body: { allow_config } }, { onError: sayProblem });
  return (
    <Deed
      title="CONFIG command"
      says={`Apps ${isAllowed ? 'can' : 'cannot'} use CONFIG, which reads and changes the settings of the server until its next start.`}
    >
      <Button busy={change.isPending} disabledBecause={not.change} onClick={() => allow(!isAllowed)}>
        {isAllowed ? 'Deny CONFIG' : 'Allow CONFIG'}
      </Button>
    </Deed>
  );
}
