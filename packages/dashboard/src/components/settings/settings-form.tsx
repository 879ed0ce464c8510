import { useState } from 'react';
import { matching, useAnswer, useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../ui/toast.tsx';
import { AskBeforeLeaving } from '../../ui/unsaved.tsx';
import { errorBeside, errorFor } from '../../util/field-error.ts';
import type { SettingSection } from './section.ts';
import { SettingInput } from './setting-input.tsx';
import { changedFields, type Draft, draftOf, effectsOf, patchOf } from './values.ts';

const CHANGES = ['getSettings', 'getInstance', 'getAuthority', 'listCertificates', 'getOwnRegistry'] as const;

/** One section of the settings. @param readOnly why nothing can be changed; null: it can */
export function SettingsForm({
  section: { title, description, fields },
  readOnly,
}: {
  section: SettingSection;
  readOnly: string | null;
}) {
  const settings = useAnswer('getSettings');
  const [base, setBase] = useState(settings);
  const before = draftOf(fields, base);
  const [draft, setDraft] = useState<Draft>(before);
  const save = useCall('patchSettings', { changes: CHANGES });
  const changed = changedFields(fields, before, draft);
  const isSame = changed.length === 0;
  const follow = (from: typeof settings) => {
    setBase(from);
    setDraft(draftOf(fields, from));
  };
  // Somebody else changed them, and nothing was typed here: the form shows what is.
  if (base !== settings && isSame && !save.isPending) follow(settings);
  const submit = () =>
    save.mutate(
      { body: patchOf(changed, draft), ...matching(base) },
      {
        onSuccess: (saved) => {
          follow(saved);
          say('The settings are saved.');
        },
      },
    );
  const beside = errorBeside(
    save.error,
    fields.map(({ path }) => path),
  )
    ? save.error
    : null;
  return (
    <Card title={title} description={description}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (readOnly === null && !isSame && !save.isPending) submit();
        }}
      >
        <fieldset disabled={readOnly !== null} className="grid items-start gap-x-6 gap-y-4 md:grid-cols-2">
          {fields.map((field) => (
            <SettingInput
              key={field.path}
              field={field}
              text={draft[field.path] ?? ''}
              error={errorFor(save.error, field.path)}
              onChange={(text) => setDraft({ ...draft, [field.path]: text })}
            />
          ))}
        </fieldset>
        <Effects lines={effectsOf(changed, before, draft)} />
        {beside && (
          <Problem className="mt-4" error={beside}>
            {'status' in beside && beside.status === 412 && (
              <Button className="mt-2" onClick={() => follow(settings)}>
                Show what it is now
              </Button>
            )}
          </Problem>
        )}
        <div className="mt-5 flex flex-wrap justify-end gap-2">
          {!isSame && <Button onClick={() => follow(settings)}>Discard</Button>}
          <Button
            type="submit"
            kind="primary"
            busy={save.isPending}
            disabledBecause={readOnly ?? (isSame ? 'Nothing is changed.' : null)}
          >
            Save
          </Button>
        </div>
      </form>
      <AskBeforeLeaving unsaved={!isSame && !save.isPending} what="Settings" />
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
