import { TextArea } from '../../ui/field.tsx';
import { PickFile } from '../../ui/pick-file.tsx';
import { errorFor } from '../../util/field-error.ts';
import type { SourceFormProps } from './source-form.ts';
import { SourceForm } from './source-form.tsx';

export function FromFile({
  text,
  onText,
  onRead,
  error,
  reset,
  ...form
}: SourceFormProps & { text: string; onText: (text: string) => void }) {
  return (
    <SourceForm
      {...form}
      action="Read template"
      disabledBecause={text.trim() === '' ? 'Choose or paste a file first.' : null}
      error={error}
      onEdit={reset}
      fields={['source.file']}
      onSubmit={() => onRead({ file: text })}
    >
      <PickFile accept=".yaml,.yml" beside="or paste it below." onText={onText} />
      <TextArea
        label="template.yaml"
        mono
        rows={12}
        placeholder="version: 1"
        value={text}
        onChange={(event) => onText(event.target.value)}
        error={errorFor(error, 'source.file')}
      />
    </SourceForm>
  );
}
