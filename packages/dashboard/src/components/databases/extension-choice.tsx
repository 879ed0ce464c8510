import type { DatabaseEngineOffer } from '@davit/api';
import { CheckField, FieldError } from '../../ui/field.tsx';

type Extension = DatabaseEngineOffer['extensions'][number];

/** Renders the choice of PostgreSQL extensions. Each option names the extensions that it requires. */
export function ExtensionChoice({
  extensions,
  chosen,
  onChange,
  error,
}: {
  extensions: readonly Extension[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  error: string | null;
}) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Extensions</legend>
      <div className="grid max-h-44 gap-x-4 gap-y-1.5 overflow-y-auto rounded-md border border-line p-2.5 sm:grid-cols-2">
        {extensions.map(({ name, needs }) => (
          <CheckField
            key={name}
            label={<code className="font-mono text-[0.8125rem]">{name}</code>}
            hint={needs.length > 0 && `with ${needs.join(', ')}`}
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
            }
          />
        ))}
      </div>
      <FieldError error={error} />
    </fieldset>
  );
}
