// A small MCP server on stdin and stdout: `echo` answers its text, `fail` always fails.
import { createInterface } from 'node:readline';

const tools = [
  {
    name: 'echo',
    description: 'Answers the text it was given.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' }, path: { type: 'string' } } },
  },
  { name: 'fail', description: 'Always fails.', inputSchema: { type: 'object', properties: {} } },
];

const callTool = ({ name, arguments: input }) =>
  name === 'echo'
    ? { content: [{ type: 'text', text: `echo: ${input?.text ?? ''}` }] }
    : { content: [{ type: 'text', text: 'it failed, as it should' }], isError: true };

const answers = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'demo', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': callTool,
};

const reply = (message) => {
  const answer = answers[message.method];
  return answer === undefined
    ? { error: { code: -32601, message: `no method ${message.method}` } }
    : { result: answer(message.params) };
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  // A message without an id is a notification and gets no answer.
  if (message.id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...reply(message) })}\n`);
});
