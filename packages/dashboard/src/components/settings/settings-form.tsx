import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { AskBeforeLeaving } from '../../ui/unsaved.tsx';
import { errorBeside, errorFor } from '../../util/field-error.ts';
import type { SettingSection } from './section.ts';
import { SettingInput } from './setting-input.tsx';
import { useSettings } from './use-settings.ts';

/** One section of the settings. @param readOnly why nothing can be changed; null: it can */
export function SettingsForm({
  section: { title, description, fields },
  readOnly,
}: {
  section: SettingSection;
  readOnly: string | null;
}) {
  const { draft, type, isChanged, effects, error, busy, submit, discard, showNow } = useSettings(fields);
  const paths = fields.map(({ path }) => path);
  return (
    <Card title={title} description={description}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (readOnly === null && isChanged && !busy) submit();
        }}
      >
        <fieldset disabled={readOnly !== null} className="grid items-start gap-x-6 gap-y-4 md:grid-cols-2">
          {fields.map((field) => (
            <SettingInput
              key={field.path}
              field={field}
              text={draft[field.path] ?? ''}
              error={errorFor(error, field.path)}
              onChange={(text) => type(field.path, text)}
            />
          ))}
        </fieldset>
        <Effects lines={effects} />
        {error && errorBeside(error, paths) && (
          <Problem className="mt-4" error={error}>
            {error.status === 412 && (
              <Button className="mt-2" onClick={() => void showNow()}>
                Show what it is now
              </Button>
            )}
          </Problem>
        )}
        <div className="mt-5 flex flex-wrap justify-end gap-2">
          {isChanged && <Button onClick={discard}>Discard</Button>}
          <Button
            type="submit"
            kind="primary"
            busy={busy}
            disabledBecause={readOnly ?? (isChanged ? null : 'Nothing is changed.')}
          >
            Save
          </Button>
        </div>
      </form>
      <AskBeforeLeaving unsaved={isChanged && !busy} what="Settings" />
    </Card>
  );
}

/** What saving does, before it is done. */
function Effects({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div className="mt-4">
      <Notice tone="warning">
        <ul className="flex flex-col gap-1">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
