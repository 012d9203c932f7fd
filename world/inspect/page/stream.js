// ---- Staying up to date: server-sent events, or polling where they do not come ----------------

const take = {
  overview: takeOverview,
  times: takeTimes,
  kinds: takeKinds,
  watchers: takeWatchers,
  plots: takePlots,
  resources: takeResources,
  time: takeTime,
};
let stream = null,
  polling = 0;

function connect() {
  disconnect();
  if (!byId('live').checked || document.hidden) return;
  const topics = timeline.at === undefined ? ['overview', 'times', 'kinds'] : ['times'];
  if (mayGoBack) topics.push('time');
  if (place.view === 'overview' && timeline.at === undefined) topics.push('watchers');
  if (place.view === 'model') topics.push('plots');
  if (place.view === 'model' && timeline.at === undefined) topics.push('resources');
  if (asked.get('sse') === '0' || !window.EventSource || failures > 3) {
    poll(topics);
    return;
  }
  stream = new EventSource(
    api + 'events?since=' + times.count + '&topics=' + topics.join(','),
  );
  for (const name of topics)
    stream.addEventListener(name, event => take[name](JSON.parse(event.data)));
  stream.onerror = () => {
    if (stream.readyState === EventSource.CONNECTING && ++failures < 2) return; // it asks again
    lost();
    disconnect();
    polling = setTimeout(connect, 500 * Math.min(failures, 8));
  };
}
function disconnect() {
  if (stream) stream.close();
  stream = null;
  clearTimeout(polling);
}
async function poll(topics) {
  let turns = 0;
  const turn = async () => {
    try {
      for (const name of topics) {
        if (name === 'times') takeTimes(await ask('times?since=' + times.count));
        else if (['overview', 'plots', 'resources', 'time'].includes(name) || turns % 4 === 0)
          take[name](await ask(name));
      }
      turns++;
    } catch (failure) {
      failures++;
      lost();
    }
    polling = setTimeout(failures > 3 ? connect : turn, failures ? 1000 : 300);
  };
  turn();
}
function lost() {
  byId('status').dataset.state = 'lost';
  say('status', 'no answer; trying again');
}
