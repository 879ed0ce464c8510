import { useState } from 'react';
import { useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { PickFile } from '../../ui/pick-file.tsx';
import { errorFor } from '../../util/field-error.ts';
import { slugProblem } from '../../util/slug.ts';
import { ImportReport } from './import-report.tsx';
import type { SourceFormProps } from './source-form.ts';
import { SourceForm } from './source-form.tsx';

/**
 * Renders the form that converts a Compose file into a template. The form then shows which settings were converted, and
 * the user continues with the template.
 */
export function FromCompose({
  onRead,
  onEdit,
  busy,
  error,
  onClose,
}: SourceFormProps & { onEdit: (template: string) => void }) {
  const [compose, setCompose] = useState('');
  const [project, setProject] = useState('');
  const { data: made, mutate, reset, isPending, error: refused } = useCall('importTemplate');
  if (made !== undefined) {
    return (
      <SourceForm
        action="Continue to installation"
        busy={busy}
        disabledBecause={made.valid ? null : 'The template is not valid. Correct it first.'}
        error={error}
        fields={[]}
        onSubmit={() => onRead({ file: made.template })}
        onClose={onClose}
      >
        <ImportReport made={made} />
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => reset()}>Choose another file</Button>
          <Button onClick={() => onEdit(made.template)}>Edit template</Button>
        </div>
      </SourceForm>
    );
  }
  const missing = compose.trim() === '' ? 'Choose or paste a file first.' : slugProblem(project);
  return (
    <SourceForm
      action="Convert file"
      busy={isPending}
      disabledBecause={missing}
      error={refused}
      onEdit={reset}
      fields={['compose', 'project']}
      onSubmit={() => mutate({ body: { compose, ...(project !== '' && { project }) } })}
      onClose={onClose}
    >
      <PickFile accept=".yaml,.yml" beside="or paste it below." onText={setCompose} />
      <TextArea
        label="Compose file"
        mono
        rows={12}
        placeholder="services:"
        value={compose}
        onChange={(event) => setCompose(event.target.value)}
        error={errorFor(refused, 'compose')}
      />
      <TextField
        label="Project"
        note="optional"
        mono
        autoCapitalize="none"
        placeholder="name in the file"
        value={project}
        onChange={(event) => setProject(event.target.value.trim())}
        error={slugProblem(project) ?? errorFor(refused, 'project')}
      />
    </SourceForm>
  );
}
