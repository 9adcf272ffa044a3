const decode = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const attributeOf = (tag: string, name: string) => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? null : decode(value);
};

/** What a browser without JavaScript sends of the form with this id when nothing in it was touched, without its buttons. */
export function sentForm(html: string, id: string): Record<string, string> {
  const form = new RegExp(`<form\\b[^>]*\\bid="${id}"[^>]*>([\\s\\S]*?)</form>`).exec(html)?.[1];
  if (form === undefined) throw new Error(`the page has no form "${id}"`);
  const sent: Record<string, string> = {};
  for (const [whole, kind, inside] of form.matchAll(
    /<(input)\b[^>]*>|<(?:textarea|select)\b[^>]*>([\s\S]*?)<\/(?:textarea|select)>/g,
  )) {
    const tag = whole.slice(0, whole.indexOf('>') + 1);
    const name = attributeOf(tag, 'name');
    if (name === null) continue;
    if (kind === 'input') {
      const type = attributeOf(tag, 'type');
      if ((type === 'checkbox' || type === 'radio') && !/\schecked=""/.test(tag)) continue;
      sent[name] = attributeOf(tag, 'value') ?? (type === 'checkbox' ? 'on' : '');
    } else if (tag.startsWith('<textarea')) {
      // Of a line break at the beginning the browser takes one away.
      sent[name] = decode((inside ?? '').replace(/^\n/, '')).replaceAll('\n', '\r\n');
    } else {
      const chosen = /<option\b[^>]*\sselected=""[^>]*>/.exec(inside ?? '')?.[0];
      sent[name] = (chosen && attributeOf(chosen, 'value')) ?? '';
    }
  }
  return sent;
}
