import { useAnswer } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { type Option, SelectField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { useSearchChange, useSearchText } from '../../util/params.ts';
import { FILTERS, OUTCOMES, VIAS } from './filters.ts';

const ANY: Option<string> = { value: '', label: 'any' };
const VIA_OPTIONS = [ANY, ...VIAS.map((value) => ({ value, label: value }))];
const OUTCOME_OPTIONS = [ANY, ...OUTCOMES.map((value) => ({ value, label: value }))];

/** Names in the audit log that stand for the instance or the local operator instead of a user. */
const OTHERS = ['local', 'davit'];

/**
 * Returns the value of an audit log filter and a function that sets the value. Setting a filter also shows the first
 * page of the list.
 */
function useFilter(name: (typeof FILTERS)[number]): [value: string, set: (value: string) => void] {
  const [text] = useSearchText(name);
  const change = useSearchChange();
  return [text ?? '', (value) => change({ [name]: value === '' ? null : value, before: null })];
}

export function FilterForm() {
  const users = useAnswer('listUsers');
  const [user, setUser] = useFilter('user');
  const [via, setVia] = useFilter('via');
  const [outcome, setOutcome] = useFilter('outcome');
  const [from, setFrom] = useFilter('from');
  const [to, setTo] = useFilter('to');
  const names = [...users.map(({ username }) => username), ...OTHERS];
  const known = user === '' || names.includes(user) ? names : [user, ...names];
  const options = [ANY, ...known.map((name) => ({ value: name, label: name }))];
  return (
    <search className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-[repeat(6,minmax(0,1fr))]">
      <SelectField label="User" options={options} value={user} onChange={setUser} />
      <SelectField label="Source" options={VIA_OPTIONS} value={via} onChange={setVia} />
      <SelectField label="Outcome" options={OUTCOME_OPTIONS} value={outcome} onChange={setOutcome} />
      <TargetField />
      <TextField label="From" type="date" value={from} onChange={(event) => setFrom(event.target.value)} />
      <TextField label="To" type="date" value={to} onChange={(event) => setTo(event.target.value)} />
    </search>
  );
}

/**
 * Renders the field that filters the audit log by target. The filter applies on submit or blur, to avoid a request for
 * each typed letter.
 */
function TargetField() {
  const [target, setTarget] = useFilter('target');
  return (
    <Form key={target} onSubmit={(form) => setTarget(String(new FormData(form).get('target') ?? '').trim())}>
      <TextField
        label="Target"
        name="target"
        defaultValue={target}
        placeholder="shop/production"
        onBlur={(event) => event.target.value.trim() !== target && setTarget(event.target.value.trim())}
      />
    </Form>
  );
}

export function ClearFilters() {
  const change = useSearchChange();
  const gone = Object.fromEntries([...FILTERS, 'before'].map((name) => [name, null]));
  return (
    <Button kind="quiet" onClick={() => change(gone)}>
      Clear filters
    </Button>
  );
}
