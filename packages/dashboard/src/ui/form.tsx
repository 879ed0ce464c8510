import type { ComponentProps } from 'react';

/** Renders a form. While the submit button is disabled or a request is in progress, the form cannot be submitted. */
export function Form({
  disabledBecause = null,
  busy = false,
  onSubmit,
  ...form
}: Omit<ComponentProps<'form'>, 'onSubmit'> & {
  /** Message about what the user must do before the form can be submitted. `null` if the form can be submitted. */
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
