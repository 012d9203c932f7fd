// ---- Client: what one of a server's clients may see ---------------------------------------------

const client = { busy: false };
client.none = !document.querySelector('meta[name=may]').content.includes('client');
byId('client-card').hidden = client.none;

// showClient shows the text about a client.
async function showClient() {
  if (client.busy || client.none || place.view !== 'model' || document.hidden) return;
  client.busy = true;
  try {
    const number = byId('client').value;
    const answer = await fetch(api + 'client?number=' + encodeURIComponent(number));
    const text = answer.ok ? await answer.text() : (await answer.json()).error;
    if (number === byId('client').value) byId('client-text').textContent = text;
  } catch (failure) {
    /* the stream says that the server is gone */
  }
  client.busy = false;
}
byId('client').addEventListener('input', showClient);
setInterval(() => {
  if (byId('live').checked) showClient();
}, 500);
