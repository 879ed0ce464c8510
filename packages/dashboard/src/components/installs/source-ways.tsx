import { useState } from 'react';
import { RadioGroup } from '../../ui/radio.tsx';
import { FromCompose } from './from-compose.tsx';
import { FromFile } from './from-file.tsx';
import { FromRepository } from './from-repository.tsx';
import type { SourceFormProps } from './source-form.ts';

const WAYS = [
  { value: 'repository', label: 'Git repository', hint: 'A public repository that contains a template.yaml.' },
  { value: 'file', label: 'Template file', hint: 'A template.yaml from your computer.' },
  {
    value: 'compose',
    label: 'Compose file',
    hint: 'Davit converts the services of the Compose file to apps and databases. You see a report before the installation.',
  },
] as const;
export type Way = (typeof WAYS)[number]['value'];

/** Renders the choice of a template source (repository, file or Compose file) and the form of the selected source. */
export function SourceWays({
  label,
  ways = WAYS.map(({ value }) => value),
  way: wanted,
  onChoose,
  ...form
}: SourceFormProps & {
  label: string;
  /** Template sources that the user can choose. By default, the user can choose all sources. */
  ways?: readonly Way[];
  /** Selected template source. If the value is unknown, the first source is selected. */
  way: string;
  onChoose: (way: string) => void;
}) {
  // Template text that was converted from a Compose file. The user can edit the text before the installation.
  const [text, setText] = useState('');
  const choices = WAYS.filter(({ value }) => ways.includes(value));
  const way = ways.find((one) => one === wanted) ?? ways[0];
  return (
    <div className="flex flex-col gap-5">
      <RadioGroup label={label} choices={choices} value={way ?? ''} onChange={onChoose} />
      {way === 'repository' && <FromRepository {...form} />}
      {way === 'file' && <FromFile {...form} text={text} onText={setText} />}
      {way === 'compose' && (
        <FromCompose
          {...form}
          onEdit={(template) => {
            setText(template);
            onChoose('file');
          }}
        />
      )}
    </div>
  );
}
