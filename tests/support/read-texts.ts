import { parseSync } from 'vite';

/** A text that people may read, and where in its file it begins. Values put into it are shown as `…`. */
type ReadText = { at: number; text: string };

type Node = { type: string; start: number; [key: string]: unknown };

/** Attributes whose values are for the browser. */
const forBrowsers = new Set([
  ...['className', 'class', 'd', 'id', 'key', 'style', 'viewBox', 'points', 'transform', 'rel', 'sizes', 'media'],
  ...['allow', 'autoComplete', 'content', 'sandbox', 'htmlFor', 'name', 'value', 'type', 'href', 'src', 'action'],
]);

/** Functions and tags whose texts go to the database, to the log or to developers. */
const forEngineers = new Set(['sql', 'Error', 'TypeError', 'RangeError', 'require', 'import', 'info', 'warn']);

/**
 * The texts of a TypeScript file that people may read: the contents of JSX elements as one text each, and literals
 * that are more than one word or a word that begins with a capital. Comments, class names, types, imports, SQL and
 * errors that are thrown are none.
 */
export function textsRead(file: string, source: string): ReadText[] {
  const found: ReadText[] = [];
  const add = (at: number, text: string) => {
    const plain = text.replace(/\s+/g, ' ').trim();
    if (/[a-z]/.test(plain) && (/\S \S/.test(plain) || /^[A-Z][a-z]/.test(plain))) found.push({ at, text: plain });
  };
  const visit = (node: Node): void => {
    if (skipped(node)) return;
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') add(node.start, contentsOf(node));
    if (node.type === 'Literal' && typeof node.value === 'string') add(node.start, node.value);
    if (node.type === 'TemplateLiteral') add(node.start, templateText(node));
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parseSync(file, source).program as unknown as Node);
  return found;
}

function skipped(node: Node): boolean {
  if (/^(Import|Export(All|Named)).*Declaration$/.test(node.type) && node.source) return true;
  if (node.type.startsWith('TS') && /^TS(Type|Interface|Literal|Union)/.test(node.type)) return true;
  if (node.type === 'JSXAttribute') return forBrowsers.has(nameOf(node.name));
  if (node.type === 'TaggedTemplateExpression') return forEngineers.has(nameOf(node.tag));
  if (node.type === 'CallExpression' || node.type === 'NewExpression') return forEngineers.has(nameOf(node.callee));
  return false;
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'MemberExpression') return nameOf(node.property);
  return typeof node.name === 'string' ? node.name : '';
}

/** The text directly in an element, as one sentence; elements inside it have texts of their own. */
function contentsOf(node: Node): string {
  const children = Array.isArray(node.children) ? node.children.filter(isNode) : [];
  return children
    .map((child) => {
      if (child.type === 'JSXText') return String(child.value);
      if (child.type === 'JSXElement' || child.type === 'JSXFragment') return contentsOf(child) || '…';
      const { expression } = child;
      return isNode(expression) && expression.type === 'Literal' ? String(expression.value) : '…';
    })
    .join('');
}

function templateText(node: Node): string {
  const quasis = Array.isArray(node.quasis) ? node.quasis.filter(isNode) : [];
  return quasis.map(({ value }) => (value as { cooked: string | null }).cooked ?? '').join('…');
}

function childrenOf(node: Node): Node[] {
  return Object.entries(node)
    .filter(([key]) => key !== 'parent')
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
