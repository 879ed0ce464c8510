import { useState } from 'react';
import { RadioGroup } from '../../ui/radio.tsx';
import { FromCompose } from './from-compose.tsx';
import { FromFile } from './from-file.tsx';
import { FromRepository } from './from-repository.tsx';
import type { SourceFormProps } from './source-form.ts';

const WAYS = [
  { value: 'repository', label: 'A repository', hint: 'A public one that has a template.yaml.' },
  { value: 'file', label: 'A template file', hint: 'The text of a template.yaml.' },
  {
    value: 'compose',
    label: 'A Compose file',
    hint: 'Its services become apps and databases; you see what is carried.',
  },
] as const;
export type Way = (typeof WAYS)[number]['value'];

/** The ways to a template that no catalog lists, and the form of the one that is chosen. */
export function SourceWays({
  label,
  ways = WAYS.map(({ value }) => value),
  way: wanted,
  onChoose,
  ...form
}: SourceFormProps & {
  label: string;
  /** Those to choose from; absent: all. */
  ways?: readonly Way[];
  /** The first of them stands in for one that is none. */
  way: string;
  onChoose: (way: string) => void;
}) {
  // The text of a template that was made of a Compose file, to be changed by hand.
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
