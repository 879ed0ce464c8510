import type { ComponentProps } from 'react';

/** A form. It is sent only if its button could be pressed: by the same reason, and not while it is being sent. */
export function Form({
  disabledBecause = null,
  busy = false,
  onSubmit,
  ...form
}: Omit<ComponentProps<'form'>, 'onSubmit'> & {
  /** What has to be done first, in a sentence; `null` if it can be sent. */
  disabledBecause?: string | null;
  busy?: boolean;
  onSubmit: (form: HTMLFormElement) => void;
}) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        if (disabledBecause === null && !busy) onSubmit(event.currentTarget);
      }}
    />
  );
}
