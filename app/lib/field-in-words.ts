/** The name of a field of a form in words: `v.curriculum.0.shortName` is `Curriculum 1, short name`. */
export function fieldInWords(name: string): string {
  const parts = name.split('.').filter((part) => part !== 'v' && part !== 'text');
  const words = parts.reduce((text, part) => {
    if (/^\d+$/.test(part)) return `${text} ${Number(part) + 1}`;
    const its = part
      .replaceAll('-', ' ')
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase();
    return text === '' ? its : `${text}, ${its}`;
  }, '');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
