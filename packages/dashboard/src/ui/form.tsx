import type { ComponentProps } from 'react';

/** Renders a form that can be sent only while its button is enabled, and not while a request is in progress. */
export function Form({
  disabledBecause = null,
  busy = false,
  onSubmit,
  ...form
}: Omit<ComponentProps<'form'>, 'onSubmit'> & {
  /** What the user must do before the form can be sent, or `null` if the form can be sent. */
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
