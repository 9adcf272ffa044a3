import { tokenField } from '#app/ui/form-state.ts';

/**
 * Keeps what was chosen with the page's entry in the browser's history, so that a step back shows it, as browsers do
 * without scripts. The form's token goes with it: sent again, the form changes the same draft and its seats instead of
 * holding others.
 */
export function keepInHistory(form: HTMLFormElement): void {
  const chosen = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  history.replaceState({ ...history.state, chosen }, '');
}

/**
 * Fills a form with what was kept with the page's entry, and returns the token that was; undefined on a page that is
 * opened for the first time, where it does nothing.
 */
export function takeFromHistory(form: HTMLFormElement): string | undefined {
  const chosen: Record<string, string> = history.state?.chosen ?? {};
  for (const [name, value] of Object.entries(chosen)) {
    const field = form.elements.namedItem(name);
    // Of radio buttons too it presses the one with the value.
    if (field && 'value' in field) field.value = value;
  }
  return chosen[tokenField];
}
