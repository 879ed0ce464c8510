import type { ReactNode } from 'react';
import { type Option, SelectField, TextField } from '../../ui/field.tsx';
import type { Bound } from './form.ts';

interface Words {
  hint?: ReactNode;
  note?: ReactNode;
  placeholder?: string;
}

export function TextSetting({ of, mono = true, ...words }: Words & { of: Bound<string>; mono?: boolean }) {
  const { label, value, error, set } = of;
  return <TextField {...words} {...{ label, value, error, mono }} onChange={(event) => set(event.target.value)} />;
}

export function NumberSetting(props: Words & { of: Bound<string> }) {
  const { of, ...words } = props;
  const { label, value, error, set } = of;
  return (
    <TextField
      {...words}
      {...{ label, value, error }}
      inputMode="numeric"
      onChange={(event) => set(event.target.value)}
    />
  );
}

export function ChoiceSetting<V extends string>({
  of: { label, value, error, set },
  options,
  hint,
}: {
  of: Bound<V>;
  options: readonly Option<NoInfer<V>>[];
  hint?: ReactNode;
}) {
  return <SelectField {...{ label, value, error, options, hint }} onChange={set} />;
}

export function TwoColumns({ children }: { children: ReactNode }) {
  return <div className="grid items-start gap-4 sm:grid-cols-2">{children}</div>;
}
