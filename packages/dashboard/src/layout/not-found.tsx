import { Missing } from './dead-end.tsx';

export function NotFound() {
  return <Missing title="There is no such page" reason="Nothing is at this address" />;
}
