import type { DatabaseEngine, DatabaseEngineOffer } from '@davit/api';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { errorFor, errorWithin } from '../../util/field-error.ts';
import { TwoColumns } from '../app-settings/fields.tsx';
import { LimitFields, limitsIn } from '../things/limit-fields.tsx';
import {
  type DatabaseDraft,
  ENGINE_NAMES,
  extensionsOf,
  originOf,
  versionOf,
  withEngine,
  withVersion,
} from './database-draft.ts';
import { ExtensionChoice } from './extension-choice.tsx';

interface Props {
  offer: DatabaseEngineOffer;
  draft: DatabaseDraft;
  error: Error | null;
  onChange: (part: Partial<DatabaseDraft>) => void;
}

/**
 * Renders the select fields for a database engine and its version. Also shows whether Davit builds or pulls the
 * container image.
 */
export function EngineFields({ offers, offer, draft, error, onChange }: Props & { offers: DatabaseEngineOffer[] }) {
  const choices = offers.filter(({ versions }) => versions.length > 0);
  return (
    <TwoColumns>
      <SelectField
        label="Engine"
        options={choices.map(({ engine }) => ({ value: engine, label: ENGINE_NAMES[engine] }))}
        value={draft.engine}
        onChange={(engine: DatabaseEngine) => onChange(withEngine(draft, engine))}
        error={errorFor(error, 'engine')}
      />
      <SelectField
        label="Version"
        options={offer.versions.map(({ version, made_here }) => ({
          value: version,
          label: made_here ? `${version} (built on this server)` : `${version} (from a registry)`,
        }))}
        value={versionOf(offer, draft.version)?.version ?? ''}
        onChange={(version) => onChange(withVersion(draft, version, offer))}
        hint={originOf(offer, draft.version)}
        error={errorFor(error, 'version')}
      />
    </TwoColumns>
  );
}

export function MoreFields({ offer, draft, error, onChange }: Props) {
  const extensions = extensionsOf(offer, draft.version);
  return (
    <>
      {extensions.length > 0 && (
        <ExtensionChoice
          extensions={extensions}
          chosen={draft.extensions}
          onChange={(chosen) => onChange({ extensions: chosen })}
          error={errorWithin(error, 'extensions')}
        />
      )}
      <TextField
        label="Description"
        note="optional"
        value={draft.description}
        onChange={({ target }) => onChange({ description: target.value })}
        error={errorFor(error, 'description')}
      />
      <Logins offer={offer} draft={draft} error={error} onChange={onChange} />
      <LimitFields {...limitsIn(draft, error, onChange)} />
      <CheckField
        label="Expose on a port of the server"
        hint="Clients outside the environment can connect with a password. You can change this option later."
        checked={draft.isExposed}
        onChange={({ target }) => onChange({ isExposed: target.checked })}
      />
    </>
  );
}

/** Renders the fields for the user name and the database name, if the database engine lets users set them. */
function Logins({ offer, draft, error, onChange }: Props) {
  if (offer.only_user !== null && !offer.named) return null;
  return (
    <TwoColumns>
      {offer.only_user === null && (
        <TextField
          label="User"
          note="optional"
          mono
          autoCapitalize="none"
          hint="Name of the database user. Leave blank to use the default user."
          value={draft.username}
          onChange={({ target }) => onChange({ username: target.value.trim() })}
          error={errorFor(error, 'username')}
        />
      )}
      {offer.named && (
        <TextField
          label="Database name"
          note="optional"
          mono
          autoCapitalize="none"
          hint="Leave blank to use the name of the database."
          value={draft.database}
          onChange={({ target }) => onChange({ database: target.value.trim() })}
          error={errorFor(error, 'database')}
        />
      )}
    </TwoColumns>
  );
}
