/** React's renderer, writing texts (scripts/server-code.ts). */
declare module 'virtual:react-server' {
  export { renderToPipeableStream } from 'react-dom/server';
}
