/** Sends the form of a record as it is typed to the preview's address, and shows the answer in the frame of the preview. */
export function showPreview(form: HTMLFormElement, to: string): void {
  const [action, target] = [form.getAttribute('action'), form.getAttribute('target')];
  form.setAttribute('action', to);
  form.setAttribute('target', 'preview');
  // Not the router's: the answer belongs in the frame.
  HTMLFormElement.prototype.submit.call(form);
  for (const [name, value] of [
    ['action', action],
    ['target', target],
  ] as const) {
    if (value === null) form.removeAttribute(name);
    else form.setAttribute(name, value);
  }
}
