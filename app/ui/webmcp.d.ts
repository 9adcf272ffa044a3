// The attributes by which a form is a tool for a browser's agent (WebMCP's declarative API). Only browsers that have it
// read them. `toolautosubmit` is for forms that only read: any other is sent by the person.
import 'react';

declare module 'react' {
  interface FormHTMLAttributes<T> {
    toolname?: string;
    tooldescription?: string;
    toolautosubmit?: '';
  }
  interface InputHTMLAttributes<T> {
    toolparamdescription?: string;
  }
  interface SelectHTMLAttributes<T> {
    toolparamdescription?: string;
  }
}
