// ---- Client: what one of a server's clients may see ---------------------------------------------

const client = { busy: false, none: false };

// showClient shows the text about a client; a program without clients says so once.
async function showClient() {
  if (client.busy || client.none || place.view !== 'model' || document.hidden) return;
  client.busy = true;
  try {
    const number = byId('client').value;
    const answer = await fetch(api + 'client?number=' + encodeURIComponent(number));
    const text = answer.ok ? await answer.text() : (await answer.json()).error;
    client.none = answer.status === 404 && text.includes('Options.Client');
    byId('client-card').hidden = client.none;
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
