import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ConfirmBeforeLeaving } from '../../ui/unsaved.tsx';
import { errorWithin } from '../../util/field-error.ts';
import { wordsOfLine } from './lists.ts';
import type { SettingSection } from './section.ts';
import { SettingInput } from './setting-input.tsx';
import { useSettings } from './use-settings.ts';

/**
 * Renders the form of one section of the instance settings.
 * @param readOnly reason why the user may not change the settings; `null` if the user may change them
 */
export function SettingsForm({
  section: { title, description, fields },
  readOnly,
}: {
  section: SettingSection;
  readOnly: string | null;
}) {
  const { draft, type, isChanged, effects, error, busy, submit, reset, discard, showNow } = useSettings(fields);
  const errorAt = (path: string) => errorWithin(error, path, wordsOfLine);
  const unsendable = readOnly ?? (isChanged ? null : 'There are no changes to save.');
  const isAtField = fields.some(({ path }) => errorAt(path) !== null);
  return (
    <Card title={title} description={description}>
      <Form disabledBecause={unsendable} busy={busy} error={error} onEdit={reset} onSubmit={submit}>
        <fieldset disabled={readOnly !== null} className="grid items-start gap-x-6 gap-y-4 md:grid-cols-2">
          {fields.map((field) => (
            <SettingInput
              key={field.path}
              field={field}
              text={draft[field.path] ?? ''}
              error={errorAt(field.path)}
              onChange={(text) => type(field.path, text)}
            />
          ))}
        </fieldset>
        <Effects lines={effects} />
        {error && !isAtField && (
          <Problem className="mt-4" error={error}>
            {error.code === 'precondition_failed' && (
              <Button className="mt-2" onClick={() => void showNow()}>
                Load current settings
              </Button>
            )}
          </Problem>
        )}
        <div className="mt-5 flex flex-wrap justify-end gap-2">
          {isChanged && <Button onClick={discard}>Discard</Button>}
          <Button type="submit" kind="primary" busy={busy} disabledBecause={unsendable}>
            Save
          </Button>
        </div>
      </Form>
      <ConfirmBeforeLeaving unsaved={isChanged && !busy} what="Settings" />
    </Card>
  );
}

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
