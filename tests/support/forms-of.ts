/** A form of a page as a browser without JavaScript would send it. */
export type PageForm = {
  /** Where it is sent. */
  to: string;
  fields: Record<string, string>;
  /** Fields in which people type; the others are chosen or hidden. */
  typed: string[];
};

const decode = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');
const attribute = (tag: string, name: string) => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? null : decode(value);
};

/** The forms of a page that post, each with all its fields: one of each group of radio buttons, every box ticked. */
export function formsOf(html: string, page: string): PageForm[] {
  const forms = [...html.matchAll(/<form\b[^>]*method="post"[^>]*>.*?<\/form>/gs)];
  return forms.map(([form]) => {
    const fields: Record<string, string> = {};
    const typed: string[] = [];
    for (const [tag, kind] of form.matchAll(/<(input|select|textarea|button)\b[^>]*>/g)) {
      const name = attribute(tag, 'name');
      if (name === null || (name in fields && kind !== 'button')) continue;
      const type = attribute(tag, 'type') ?? 'text';
      fields[name] = attribute(tag, 'value') ?? (['checkbox', 'radio'].includes(type) ? 'on' : '');
      if (kind === 'textarea' || (kind === 'input' && ['text', 'email', 'tel', 'number', 'search'].includes(type)))
        typed.push(name);
      if (kind === 'select') {
        const options = form.slice(form.indexOf(tag), form.indexOf('</select>', form.indexOf(tag)));
        fields[name] = decode(/<option value="([^"]+)"/.exec(options)?.[1] ?? '');
      }
    }
    const [open] = form.match(/<form\b[^>]*>/) ?? [''];
    return { to: attribute(open, 'action') ?? page, fields, typed };
  });
}
