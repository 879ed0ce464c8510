import { useState } from 'react';
import { TextField } from '../../ui/field.tsx';
import { errorFor } from '../../util/field-error.ts';
import type { SourceFormProps } from './source-form.ts';
import { SourceForm } from './source-form.tsx';

const FIELDS = ['source.repository', 'source.ref'];

export function FromRepository({ onRead, error, reset, ...form }: SourceFormProps) {
  const [repository, setRepository] = useState('');
  const [ref, setRef] = useState('');
  return (
    <SourceForm
      {...form}
      action="Read template"
      disabledBecause={repository === '' ? 'Enter a repository first.' : null}
      error={error}
      onEdit={reset}
      fields={FIELDS}
      onSubmit={() => onRead({ repository, ...(ref !== '' && { ref }) } as never)}
    >
      <TextField
        label="Repository"
        mono
        required
        type="url"
        autoCapitalize="none"
        placeholder="https://github.com/acme/app"
        value={repository}
        onChange={(event) => setRepository(event.target.value.trim())}
        hint="Repository on GitHub, GitLab or Codeberg, or the URL of a template.yaml."
        error={errorFor(error, 'source.repository')}
      />
      <TextField
        label="Tag, branch or commit"
        note="optional"
        mono
        autoCapitalize="none"
        placeholder="HEAD"
        value={ref}
        onChange={(event) => setRef(event.target.value.trim())}
        error={errorFor(error, 'source.ref')}
      />
    </SourceForm>
  );
}
