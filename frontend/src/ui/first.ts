/* For the field of a dialog that should have the focus when the dialog opens: `{@attach first}`. */

/** The browser gives a modal dialog's focus to whatever carries `autofocus`; Svelte's own attribute would focus too early. */
export const first = (field: HTMLElement): void => field.setAttribute("autofocus", "");
