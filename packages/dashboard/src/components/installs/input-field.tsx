import { useAnswer } from '../../api.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { count } from '../../util/amounts.ts';
import { type Input, isGenerated } from '../templates/manifest.ts';
import { suggested } from './draft.ts';

export interface InputFieldProps {
  input: Input;
  text: string;
  error: string | null;
  onChange: (text: string) => void;
}

/** Renders an input of a template with a control for its type. */
export function InputField(props: InputFieldProps) {
  const { input } = props;
  if (input.type === 'choice') return <ChoiceField {...props} options={input.options ?? []} />;
  if (input.type === 'store') return <StoreField {...props} />;
  return <TypedField {...props} />;
}

function shared({ input, error }: InputFieldProps) {
  const hint = [input.help, ruleOf(input)].filter(Boolean).join(' ');
  const isOptional = !input.required || isGenerated(input) || suggested(input) !== '';
  return { label: input.label, hint, error, note: isOptional ? 'optional' : undefined };
}

function TypedField(props: InputFieldProps) {
  const { input, text, onChange } = props;
  const isSecret = input.type === 'secret';
  return (
    <TextField
      {...shared(props)}
      type={isSecret ? 'password' : 'text'}
      autoComplete={isSecret ? 'new-password' : 'off'}
      autoCapitalize="none"
      inputMode={input.type === 'number' ? 'decimal' : undefined}
      mono={input.type !== 'text'}
      placeholder={isGenerated(input) ? 'made by the instance' : (PLACEHOLDERS[input.type] ?? suggested(input))}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

const PLACEHOLDERS: Partial<Record<Input['type'], string>> = { domain: 'app.example.com' };

/** Describes the valid values of an input. */
function ruleOf(input: Input): string {
  const { type, min, max, pattern } = input;
  if (isGenerated(input)) return `Left empty, the instance makes ${madeUp(input)}.`;
  if (type === 'number' && min !== undefined && max !== undefined) return `From ${min} to ${max}.`;
  if (type === 'number' && min !== undefined) return `At least ${min}.`;
  if (type === 'number' && max !== undefined) return `At most ${max}.`;
  if (pattern !== undefined) return `Like ${pattern}`;
  return type === 'domain' && !input.required ? 'Left empty, it gets no domain of its own.' : '';
}

function madeUp({ generate, format, bytes }: Input): string {
  if (format === 'uuid') return 'a UUID';
  if (bytes !== undefined) return `${count(bytes, 'byte')} as ${format}`;
  return count(generate ?? 32, 'character');
}

function ChoiceField({ options, ...props }: InputFieldProps & { options: readonly string[] }) {
  const { text, onChange } = props;
  // An empty input needs an empty option, unless the input has a default and its present value is an option.
  const none = options.includes(text) && suggested(props.input) !== '' ? [] : [{ value: '', label: 'Choose one' }];
  return (
    <SelectField
      {...shared(props)}
      value={text}
      onChange={onChange}
      options={[...none, ...options.map((value) => ({ value, label: value }))]}
    />
  );
}

function StoreField(props: InputFieldProps) {
  const stores = useAnswer('listStores');
  const { hint, ...rest } = shared(props);
  const why = stores.length === 0 ? `${hint} There is no object store yet: link or make one first.` : hint;
  return (
    <ChoiceLike
      {...rest}
      hint={why.trim()}
      text={props.text}
      onChange={props.onChange}
      names={stores.map(({ name }) => name)}
    />
  );
}

function ChoiceLike({
  names,
  text,
  ...rest
}: Omit<ReturnType<typeof shared>, 'hint'> & {
  hint: string;
  names: readonly string[];
  text: string;
  onChange: (text: string) => void;
}) {
  const options = [{ value: '', label: 'None' }, ...names.map((value) => ({ value, label: value }))];
  return <SelectField {...rest} value={text} options={options} />;
}
