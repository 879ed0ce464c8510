import type { DatabaseEngineOffer } from '@davit/api';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { databasePath, paths } from '../../paths.ts';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { errorFor, errorWithin } from '../../util/field-error.ts';
import { ExtensionChoice } from './extension-choice.tsx';
import { IntoFields, useInto } from './into-fields.tsx';
import { useBegin, useDatabase } from './use-database.ts';

interface Props {
  onClose: () => void;
}

const CHANGES = ['getDatabase', 'listDatabases', 'listTasks'] as const;

export function RotatePassword({ onClose }: Props) {
  const { database } = useDatabase();
  const rotate = useBegin('rotateDatabasePassword', onClose);
  const apps = database.attachments.map(({ app }) => app);
  return (
    <FormDialog
      title={`Rotate the password of ${database.name}?`}
      action="Rotate password"
      busy={rotate.busy}
      error={rotate.error}
      onSubmit={rotate.send}
      onClose={onClose}
    >
      <p className="text-sm">
        {apps.length === 0
          ? 'No app is attached to this database. The current password stops working, so set the new password in every program that connects.'
          : `Davit deploys these running apps with the new password: ${apps.join(', ')}. If a deployment fails, both passwords stay valid.`}
      </p>
    </FormDialog>
  );
}

export function AddExtensions({ extensions, onClose }: Props & { extensions: DatabaseEngineOffer['extensions'] }) {
  const { database, params } = useDatabase();
  const [chosen, setChosen] = useState<string[]>([]);
  const add = useCall('addDatabaseExtensions', { changes: CHANGES, onDone: onClose });
  return (
    <FormDialog
      title={`Add extensions to ${database.name}`}
      action="Add extensions"
      busy={add.isPending}
      disabledBecause={chosen.length === 0 ? 'Choose an extension first.' : null}
      error={errorWithin(add.error, 'extensions') === null ? add.error : null}
      onSubmit={() => add.mutate({ params, body: { extensions: chosen } })}
      onClose={onClose}
    >
      <ExtensionChoice
        extensions={extensions}
        chosen={chosen}
        onChange={(next) => {
          setChosen(next);
          if (!add.isPending) add.reset();
        }}
        error={errorWithin(add.error, 'extensions')}
      />
    </FormDialog>
  );
}

export function UpgradeDatabase({ versions, onClose }: Props & { versions: readonly string[] }) {
  const { database, params } = useDatabase();
  const [version, setVersion] = useState(versions[0] ?? '');
  const upgrade = useCall('upgradeDatabase', { changes: CHANGES, onDone: onClose });
  const { name } = database;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Upgrade ${name}?`}
      action="Upgrade database"
      typed={name}
      busy={upgrade.isPending}
      error={upgrade.error}
      onConfirm={() => upgrade.mutate({ params, body: { version, confirm: name } })}
    >
      <SelectField
        label="Version"
        options={versions.map((value) => ({ value, label: value }))}
        value={version}
        onChange={(next) => {
          setVersion(next);
          if (!upgrade.isPending) upgrade.reset();
        }}
        error={errorFor(upgrade.error, 'version')}
      />
      <p>
        The database is unavailable during the upgrade. Davit copies the data into a new database and compares the
        number of records. If a step fails, the old database starts again unchanged.
      </p>
    </ConfirmDialog>
  );
}

export function CloneDatabase({ onClose }: Props) {
  const { database, params } = useDatabase();
  const navigate = useNavigate();
  const into = useInto(database, `${database.name}-copy`);
  const clone = useCall('cloneDatabase', {
    changes: CHANGES,
    onDone: () => void navigate({ to: paths.database(databasePath(into.reference)) }),
  });
  return (
    <FormDialog
      title={`Clone ${database.name}`}
      description="The new database has its own password. No app is attached to the new database."
      action="Clone database"
      busy={clone.isPending}
      disabledBecause={into.missing}
      error={clone.error}
      onEdit={clone.reset}
      fields={['into']}
      onSubmit={() => clone.mutate({ params, body: { into: into.reference } })}
      onClose={onClose}
    >
      <IntoFields into={into} error={clone.error} />
    </FormDialog>
  );
}

/**
 * Renders the dialog for a point-in-time recovery. The recovery creates a new database with the data at the selected
 * time.
 */
export function RestoreToMoment({ from, to, onClose }: Props & { from: string | null; to: string | null }) {
  const { database, params } = useDatabase();
  const navigate = useNavigate();
  const [at, setAt] = useState(to ?? '');
  const into = useInto(database, `${database.name}-then`);
  const restore = useCall('restoreDatabaseTo', {
    changes: CHANGES,
    onDone: () => void navigate({ to: paths.database(databasePath(into.reference)) }),
  });
  return (
    <FormDialog
      title={`Restore ${database.name} to a point in time`}
      description="Creates a new database. The current database does not change."
      action="Restore database"
      busy={restore.isPending}
      disabledBecause={into.missing ?? (at.trim() === '' ? 'Enter a time first.' : null)}
      error={restore.error}
      onEdit={restore.reset}
      fields={['into', 'at']}
      onSubmit={() => restore.mutate({ params, body: { at: at.trim(), into: into.reference } })}
      onClose={onClose}
    >
      <TextField
        label="Point in time"
        mono
        hint={from === null ? 'A time such as 2030-01-31T12:00:00Z.' : `From ${from} to ${to ?? 'now'}.`}
        value={at}
        onChange={({ target }) => setAt(target.value)}
        error={errorFor(restore.error, 'at')}
      />
      <IntoFields into={into} error={restore.error} />
    </FormDialog>
  );
}
